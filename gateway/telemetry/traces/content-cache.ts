import type { SpanContent } from './span-writer.ts';

/** Fact on which the content of a span depends. */
export type SpanFact = string | number | boolean | undefined;

interface KnownContent {
  readonly facts: readonly SpanFact[];
  readonly content: SpanContent;
}

/**
 * Contents of spans by their facts. A gateway has few contents, and each is encoded once. Contents with one key are compared in turn, which
 * is faster than one key of all facts, because equal facts are mostly the same string.
 */
export class ContentCache {
  private readonly known = new Map<string, KnownContent[]>();

  /**
   * Returns the content for some facts, which is created when it is not known.
   *
   * @param key fact that has the most different values
   * @param describe creates the content of a record with these facts
   */
  of<Recorded>(key: string, facts: readonly SpanFact[], describe: (recorded: Recorded) => SpanContent, recorded: Recorded): SpanContent {
    const { known } = this;
    let contents = known.get(key);
    if (contents === undefined) {
      if (known.size >= MAX_KEYS) known.clear();
      contents = [];
      known.set(key, contents);
    }
    for (const one of contents) if (areEqual(one.facts, facts)) return one.content;
    const content = describe(recorded);
    if (contents.length >= MAX_CONTENTS) contents.shift();
    contents.push({ facts, content });
    return content;
  }
}

function areEqual(one: readonly SpanFact[], other: readonly SpanFact[]): boolean {
  const { length } = one;
  for (let index = 0; index < length; index += 1) if (one[index] !== other[index]) return false;
  return true;
}

/** Maximum number of keys, before all are forgotten. */
const MAX_KEYS = 1_000;

/** Maximum number of contents with one key. The oldest is forgotten first. */
const MAX_CONTENTS = 8;
