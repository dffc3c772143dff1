import type { ConnectVersion } from '../connect-version.ts';
import { parseTemplate } from './parse-template.ts';
import type { Template, TemplatePart } from './template.ts';
import { TemplateSyntaxError } from './template-syntax-error.ts';
import type { QueryTemplate, UrlTemplate } from './url-template.ts';

/** A line break of a URL over several lines, with the indentation around it. */
const LINE_BREAKS = /[ \t]*[\r\n]\s*/g;

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;

/** A segment that URL parsers resolve instead of sending it, also in its encoded form. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/**
 * Parses the URL of a connector, or the `baseURL` of a source. Line breaks, the fragment and empty segments are dropped, because they are not
 * sent.
 *
 * @param role `base` for `baseURL`, whose origin may have expressions
 * @throws TemplateSyntaxError for invalid expressions, and for the segments `.` and `..`
 */
export function parseUrlTemplate(text: string, version: ConnectVersion, role: 'base' | 'connector'): UrlTemplate {
  const [beforeFragment] = splitBefore(withoutLineBreaks(parseTemplate(text, version).parts), /#/);
  const { origin, rest } = splitOrigin(beforeFragment, role);
  const [pathParts, queryParts] = splitBefore(rest, /\?/);
  const segments = splitAll(pathParts, '/');
  const path = segments.filter((segment) => segment.length > 0);
  for (const segment of path) refuseDotSegment(segment);
  return {
    text,
    ...(origin === undefined ? {} : { origin: templateOf(origin) }),
    path: path.map((segment) => templateOf(segment)),
    hasTrailingSlash: path.length > 0 && segments.at(-1)?.length === 0,
    query: splitAll(queryParts.slice(0, 1).flatMap(withoutFirst).concat(queryParts.slice(1)), '&')
      .filter((parameter) => parameter.length > 0)
      .map((parameter) => queryOf(parameter)),
  };
}

/** Whether a URL begins with a scheme, such as `https://`. */
export function schemeOf(text: string): string | undefined {
  return SCHEME.exec(text.trimStart())?.[0].slice(0, -'://'.length).toLowerCase();
}

function splitOrigin(parts: readonly TemplatePart[], role: 'base' | 'connector') {
  const [first] = parts;
  if (first === undefined) return { rest: parts };
  const scheme = first.kind === 'text' ? (SCHEME.exec(first.text)?.[0] ?? '') : '';
  if (scheme === '' && (role === 'connector' || first.kind === 'text')) return { rest: parts };
  const afterScheme =
    scheme === '' ? parts : [{ ...first, text: first.text.slice(scheme.length), offset: first.offset + scheme.length }, ...parts.slice(1)];
  const [authority, rest] = splitBefore(afterScheme, /[/?]/);
  const prefix: readonly TemplatePart[] = scheme === '' ? [] : [{ kind: 'text', text: scheme, offset: first.offset }];
  return { origin: [...prefix, ...authority], rest };
}

function withoutLineBreaks(parts: readonly TemplatePart[]): readonly TemplatePart[] {
  const lines = parts.map(
    (part): TemplatePart =>
      part.kind === 'text' ? { kind: 'text', text: part.text.replaceAll(LINE_BREAKS, ''), offset: part.offset } : part,
  );
  return lines
    .map((part, index): TemplatePart => {
      if (part.kind === 'expression') return part;
      const started = index === 0 ? part.text.trimStart() : part.text;
      return { kind: 'text', text: index === lines.length - 1 ? started.trimEnd() : started, offset: part.offset };
    })
    .filter((part) => part.text !== '');
}

/** Splits at the first match in a text section. The second list begins with the match; it is empty if there is none. */
function splitBefore(parts: readonly TemplatePart[], delimiter: RegExp): readonly [readonly TemplatePart[], readonly TemplatePart[]] {
  for (const [index, part] of parts.entries()) {
    const found = part.kind === 'text' ? part.text.search(delimiter) : -1;
    if (part.kind === 'expression' || found === -1) continue;
    const before = found === 0 ? [] : [{ ...part, text: part.text.slice(0, found) }];
    const after = { ...part, text: part.text.slice(found), offset: part.offset + found };
    return [
      [...parts.slice(0, index), ...before],
      [after, ...parts.slice(index + 1)],
    ];
  }
  return [parts, []];
}

/** Drops the delimiter at the start of a text section. */
function withoutFirst(part: TemplatePart): readonly TemplatePart[] {
  const text = part.text.slice(1);
  return text === '' ? [] : [{ ...part, text, offset: part.offset + 1 }];
}

/** Splits at every occurrence in text sections. */
function splitAll(parts: readonly TemplatePart[], delimiter: string): readonly (readonly TemplatePart[])[] {
  const lists: TemplatePart[][] = [[]];
  for (const part of parts) {
    if (part.kind === 'expression') {
      lists.at(-1)?.push(part);
      continue;
    }
    let offset = part.offset;
    for (const [index, text] of part.text.split(delimiter).entries()) {
      if (index > 0) lists.push([]);
      if (text !== '') lists.at(-1)?.push({ kind: 'text', text, offset });
      offset += text.length + delimiter.length;
    }
  }
  return lists;
}

function queryOf(parameter: readonly TemplatePart[]): QueryTemplate {
  const [name, [equals, ...value]] = splitBefore(parameter, /=/);
  if (equals === undefined) return { name: templateOf(name) };
  return { name: templateOf(name), value: templateOf([...withoutFirst(equals), ...value]) };
}

function templateOf(parts: readonly TemplatePart[]): Template {
  return { text: parts.map((part) => (part.kind === 'text' ? part.text : `{${part.text}}`)).join(''), parts };
}

function refuseDotSegment(segment: readonly TemplatePart[]): void {
  const [only, ...more] = segment;
  if (only?.kind !== 'text' || more.length > 0 || !DOT_SEGMENT.test(only.text)) return;
  throw new TemplateSyntaxError(`the segment "${only.text}" is relative to the path, so it cannot be sent`, only.offset);
}
