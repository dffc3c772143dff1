import { compactText } from '../data/print-json.ts';
import type { CompiledFetch, RequestText, RequestTexts } from './compiled-plan.ts';

/** One root selection set, or one `_entities` field, as it is printed. */
export interface TextPart {
  /** GraphQL text of its fields. */
  readonly fields: string;
  /** Definitions of the fragments that the text refers to; empty where there are none. */
  readonly fragments: string;
  /** The client's variables in it, and their types. */
  readonly clientVariables: ReadonlyMap<string, string>;
  /** The executor's own. */
  readonly ownVariables: ReadonlyMap<string, string>;
}

/** Text before the selections of a request. */
export interface RequestHead {
  readonly kind: CompiledFetch['kind'];
  /** GraphQL text of the operation's directives; empty where there are none. */
  readonly directives: string;
  /** The client's variables in them, and their types. */
  readonly clientVariables: ReadonlyMap<string, string>;
}

/** Texts of parts of a request that are kept: one for each combination that occurs. */
const MAX_TEXTS = 64;

/** Prints the texts of a request. */
export function compileRequestTexts(head: RequestHead, parts: readonly TextPart[]): RequestTexts {
  const known = new Map<string, RequestText>();
  return {
    whole: printRequest(head, parts),
    partOf(positions) {
      const identity = positions.join();
      let text = known.get(identity);
      if (text === undefined) {
        text = printRequest(
          head,
          parts.filter((_part, position) => positions.includes(position)),
        );
        if (known.size < MAX_TEXTS) known.set(identity, text);
      }
      return text;
    },
  };
}

function printRequest(head: RequestHead, parts: readonly TextPart[]): RequestText {
  const { kind, directives } = head;
  const clientVariables = new Map([...head.clientVariables, ...parts.flatMap((part) => [...part.clientVariables])]);
  const all = [...clientVariables, ...parts.flatMap((part) => [...part.ownVariables])];
  const definitions = all.length === 0 ? '' : `(${all.map(([name, type]) => `$${name}:${type}`).join(',')})`;
  const keyword = kind === 'query' && definitions === '' && directives === '' ? '' : kind;
  const text = `${keyword}${definitions}${directives}{${parts.map(({ fields }) => fields).join(' ')}}${parts.map(({ fragments }) => fragments).join('')}`;
  return { opening: compactText(`{"query":${JSON.stringify(text)},"variables":{`), variables: [...clientVariables.keys()] };
}
