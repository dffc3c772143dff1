/** One segment of a path: a word, or a parameter. */
type TemplateSegment = { readonly literal: string } | { readonly parameter: string };

/** A path as documents write it: `/users/{user_id}/orders`. */
export type PathTemplate = readonly TemplateSegment[];

/** Text and fields of the result in turns: `['/orders/', 'id', '']`. */
export type LocationTemplate = readonly string[];

const LITERAL = /^[A-Za-z0-9._~-]+$/;
const PARAMETER = /^\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** Reads a template; gives the reason in words where it is none. */
export function parsePathTemplate(path: string): PathTemplate | string {
  if (!path.startsWith('/')) return 'it does not start with "/"';
  if (path === '/') return 'it names no resource';
  const segments: TemplateSegment[] = [];
  for (const text of path.slice(1).split('/')) {
    const parameter = PARAMETER.exec(text)?.[1];
    if (parameter !== undefined) segments.push({ parameter });
    else if (LITERAL.test(text) && text !== '.' && text !== '..') segments.push({ literal: text });
    else return text === '' ? 'it has an empty segment' : `"${text}" is neither a word nor a parameter in braces`;
  }
  const repeated = parametersOf(segments).find((name, index, names) => names.indexOf(name) !== index);
  return repeated === undefined ? segments : `it names {${repeated}} twice`;
}

export function parametersOf(template: PathTemplate): readonly string[] {
  return template.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
}

/** The template as documents write it. */
export function printTemplate(template: PathTemplate): string {
  return template.map((segment) => ('parameter' in segment ? `/{${segment.parameter}}` : `/${segment.literal}`)).join('');
}

/** Text and names of parameters in turns, text first and last: `['/orders/', 'id', '']`. */
export function toTurns(template: PathTemplate): readonly string[] {
  const parts: string[] = [''];
  for (const segment of template) {
    if ('literal' in segment) parts.push(`${parts.pop() ?? ''}/${segment.literal}`);
    else parts.push(`${parts.pop() ?? ''}/`, segment.parameter, '');
  }
  return parts;
}

/** The template that `toTurns` took apart. */
export function fromTurns(parts: readonly string[]): PathTemplate {
  const words = parts.map((part, index) => (index % 2 === 1 ? `{${part}}` : part)).join('');
  return words
    .slice(1)
    .split('/')
    .map((text) => (text.startsWith('{') ? { parameter: text.slice(1, -1) } : { literal: text }));
}

/** The template without the names of its parameters: two with the same key answer the same paths. */
export function templateKey(template: PathTemplate): string {
  return template.map((segment) => ('parameter' in segment ? '/{}' : `/${segment.literal}`)).join('');
}
