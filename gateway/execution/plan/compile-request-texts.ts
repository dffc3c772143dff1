import { compactText } from '../data/print-json.ts';
import type { CompiledFetch, RequestText, RequestTexts } from './compiled-plan.ts';

/** Text of a root selection set or of one `_entities` field. */
export interface TextSegment {
  /** GraphQL text of the fields. */
  readonly fields: string;
  /** Definitions of the fragments that `fields` spreads, or an empty string. */
  readonly fragments: string;
  /** Client variables that the fields use, with their types. */
  readonly clientVariables: ReadonlyMap<string, string>;
  /** Variables that the executor adds, with their types. */
  readonly ownVariables: ReadonlyMap<string, string>;
}

/** Start of a request, before its selections. */
export interface RequestHead {
  readonly kind: CompiledFetch['kind'];
  /** GraphQL text of the operation's directives, or an empty string. */
  readonly directives: string;
  /** Client variables that the directives use, with their types. */
  readonly clientVariables: ReadonlyMap<string, string>;
}

/** Maximum number of cached texts of partial requests, one for each combination of fields. */
const MAX_TEXTS = 64;

/** Compiles the texts of a request. */
export function compileRequestTexts(head: RequestHead, segments: readonly TextSegment[]): RequestTexts {
  const whole = printRequest(head, segments);
  return segments.length === 1 ? new OnlyText(whole) : textsOfSeveral(whole, head, segments);
}

/** Texts of a request with one part, as most requests have. They retain neither the part nor its variables. */
class OnlyText implements RequestTexts {
  readonly whole: RequestText;

  constructor(whole: RequestText) {
    this.whole = whole;
  }

  segmentOf(): RequestText {
    return this.whole;
  }
}

function textsOfSeveral(whole: RequestText, head: RequestHead, segments: readonly TextSegment[]): RequestTexts {
  const known = new Map<string, RequestText>();
  return {
    whole,
    segmentOf(positions) {
      const identity = positions.join();
      let text = known.get(identity);
      if (text === undefined) {
        text = printRequest(
          head,
          segments.filter((_part, position) => positions.includes(position)),
        );
        if (known.size < MAX_TEXTS) known.set(identity, text);
      }
      return text;
    },
  };
}

function printRequest(head: RequestHead, segments: readonly TextSegment[]): RequestText {
  const { kind, directives } = head;
  const clientVariables = new Map([...head.clientVariables, ...segments.flatMap((segment) => [...segment.clientVariables])]);
  const all = [...clientVariables, ...segments.flatMap((segment) => [...segment.ownVariables])];
  const definitions = all.length === 0 ? '' : `(${all.map(([name, type]) => `$${name}:${type}`).join(',')})`;
  const keyword = kind === 'query' && definitions === '' && directives === '' ? '' : kind;
  const text = `${keyword}${definitions}${directives}{${segments.map(({ fields }) => fields).join(' ')}}${segments.map(({ fragments }) => fragments).join('')}`;
  return { prefix: compactText(`{"query":${JSON.stringify(text)},"variables":{`), variables: [...clientVariables.keys()] };
}
