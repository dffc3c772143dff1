/** One segment of a path: a literal or a parameter. */
type TemplateSegment = { readonly literal: string } | { readonly parameter: string };

/** A path in the notation of documents: `/users/{user_id}/orders`. */
export type PathTemplate = readonly TemplateSegment[];

/** Literal text and fields of the result, alternating: `['/orders/', 'id', '']`. */
export type LocationTemplate = readonly string[];

const LITERAL = /^[A-Za-z0-9._~-]+$/;
const PARAMETER = /^\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** Parses a path template. Returns the error as text if the path is invalid. */
export function parsePathTemplate(path: string): PathTemplate | string {
  if (!path.startsWith('/')) return 'it must start with "/"';
  if (path === '/') return 'it must name a resource';
  const segments: TemplateSegment[] = [];
  for (const text of path.slice(1).split('/')) {
    const parameter = PARAMETER.exec(text)?.[1];
    if (parameter !== undefined) segments.push({ parameter });
    else if (LITERAL.test(text) && text !== '.' && text !== '..') segments.push({ literal: text });
    else return text === '' ? 'it has an empty segment' : `the segment "${text}" is neither a literal nor a parameter in braces`;
  }
  const repeated = parametersOf(segments).find((name, index, names) => names.indexOf(name) !== index);
  return repeated === undefined ? segments : `it contains the parameter {${repeated}} twice`;
}

export function parametersOf(template: PathTemplate): readonly string[] {
  return template.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
}

/** Prints the template in the notation of documents. */
export function printTemplate(template: PathTemplate): string {
  return template.map((segment) => ('parameter' in segment ? `/{${segment.parameter}}` : `/${segment.literal}`)).join('');
}

/** Splits a template into literal text and parameter names, alternating, with text first and last: `['/orders/', 'id', '']`. */
export function toTurns(template: PathTemplate): readonly string[] {
  const parts: string[] = [''];
  for (const segment of template) {
    if ('literal' in segment) parts.push(`${parts.pop() ?? ''}/${segment.literal}`);
    else parts.push(`${parts.pop() ?? ''}/`, segment.parameter, '');
  }
  return parts;
}

/** Restores the template from the result of `toTurns`. */
export function fromTurns(parts: readonly string[]): PathTemplate {
  const words = parts.map((part, index) => (index % 2 === 1 ? `{${part}}` : part)).join('');
  return words
    .slice(1)
    .split('/')
    .map((text) => (text.startsWith('{') ? { parameter: text.slice(1, -1) } : { literal: text }));
}

/** Returns a key without parameter names. Templates with the same key match the same paths. */
export function templateKey(template: PathTemplate): string {
  return template.map((segment) => ('parameter' in segment ? '/{}' : `/${segment.literal}`)).join('');
}
