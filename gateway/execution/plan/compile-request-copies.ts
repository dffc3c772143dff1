import { Lexer, Source, TokenKind } from 'graphql';
import { compactText } from '../data/print-json.ts';
import type { RequestHead, TextSegment } from './compile-request-texts.ts';
import type { RequestCopies } from './compiled-plan.ts';

/** An `_entities` field as JSON-escaped text, split at each position where a copy inserts its suffix. */
interface FieldTemplate {
  readonly definitions: readonly string[];
  readonly selections: readonly string[];
  /** Definitions of the fragments that the selections spread. They can use variables of the copy. */
  readonly fragments: readonly string[];
  readonly length: number;
}

/** Names that the names of copies must not collide with. */
interface CopyNames {
  readonly responseKeys: readonly string[];
  readonly clientVariables: ReadonlySet<string>;
}

/**
 * Compiles the templates for requests that repeat `_entities` fields. A context argument has one value for all objects of a field, so each
 * set of values needs its own alias and variables.
 */
export function compileRequestCopies(
  head: RequestHead,
  segments: readonly TextSegment[],
  { responseKeys, clientVariables }: CopyNames,
): RequestCopies {
  const templates = segments.map((segment, position) => compileTemplate(segment, responseKeys[position] ?? ''));
  const separator = freeSeparator(new Set(segments.flatMap(({ ownVariables }) => [...ownVariables.keys()])), clientVariables);
  return {
    suffixOf: (copy) => (copy === 0 ? '' : `${separator}${copy}`),
    lengthOf: (position) => templates[position]?.length ?? 0,
    print(copies) {
      const used = new Set(copies.map(({ position }) => position));
      const taken = new Map(head.clientVariables);
      for (const position of used) for (const [name, type] of segments[position]?.clientVariables ?? []) taken.set(name, type);
      const definitions = [...taken].map(([name, type]) => escaped(`$${name}:${type}`));
      const fields: string[] = [];
      let fragments = '';
      for (const { position, suffix } of copies) {
        const template = templates[position];
        if (template === undefined) continue;
        definitions.push(template.definitions.join(suffix));
        fields.push(template.selections.join(suffix));
        fragments += template.fragments.join(suffix);
      }
      const text = `{"query":"${head.kind}(${definitions.join(',')})${escaped(head.directives)}{${fields.join(' ')}}${fragments}","variables":{`;
      return { prefix: compactText(text), variables: [...taken.keys()] };
    },
  };
}

function compileTemplate({ fields, fragments: fragmentText, ownVariables }: TextSegment, responseKey: string): FieldTemplate {
  const definitions: string[] = [];
  let rest = '';
  for (const [name, type] of ownVariables) {
    definitions.push(`${rest}$${name}`);
    rest = `:${type},`;
  }
  definitions.push(rest.slice(0, -1));
  const field = fields.startsWith(`${responseKey}:`) ? fields.slice(responseKey.length + 1) : fields;
  const selections = [responseKey, ...divide(`:${field}`, new Set(ownVariables.keys()))];
  const fragments = divide(fragmentText, new Set(ownVariables.keys()));
  const length = [...definitions, ...selections, ...fragments].reduce((sum, piece) => sum + piece.length, 0);
  return { definitions: definitions.map(escaped), selections: selections.map(escaped), fragments: fragments.map(escaped), length };
}

/** Appends a suffix to the names of variables and fragments in GraphQL text. */
export function withSuffix(text: string, suffix: string, variables: ReadonlySet<string>): string {
  return suffix === '' ? text : divide(text, variables).join(suffix);
}

/**
 * Splits a text after each use of one of the variables and after each fragment name. The text is read by a lexer, because the same
 * characters inside a string literal must not be split.
 */
function divide(text: string, variables: ReadonlySet<string>): readonly string[] {
  const pieces: string[] = [];
  const lexer = new Lexer(new Source(text));
  let from = 0;
  let depth = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    if (token.kind === TokenKind.BRACE_L) depth += 1;
    if (token.kind === TokenKind.BRACE_R) depth -= 1;
    if (token.kind !== TokenKind.NAME) continue;
    const isVariable = token.prev?.kind === TokenKind.DOLLAR && variables.has(token.value);
    const isSpread = token.prev?.kind === TokenKind.SPREAD && token.value !== 'on';
    const isDefinition = depth === 0 && token.prev?.value === 'fragment';
    if (!isVariable && !isSpread && !isDefinition) continue;
    pieces.push(text.slice(from, token.end));
    from = token.end;
  }
  return [...pieces, text.slice(from)];
}

/** Returns the first of `_`, `__`, … with which no copied variable has the name of a client variable. */
function freeSeparator(names: ReadonlySet<string>, clientVariables: ReadonlySet<string>, separator = '_'): string {
  const isUsed = [...clientVariables].some((variable) => {
    const number = /\d+$/.exec(variable);
    return number !== null && [...names].some((name) => variable.slice(0, number.index) === name + separator);
  });
  return isUsed ? freeSeparator(names, clientVariables, `${separator}_`) : separator;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
