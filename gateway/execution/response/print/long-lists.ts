import { LongText } from '../../../platform/long-text.ts';

/** Encloses the number of a list. JSON text does not contain this character, because it must be escaped. */
const DELIMITER = '\0';

/** Returns whether a text contains the placeholder of a list. */
export function hasPlaceholder(text: string): boolean {
  return text.includes(DELIMITER);
}

/** Long lists of one response. The printer inserts a placeholder for the text of each of them, so that the texts are not joined. */
export class LongLists {
  readonly #lists: (readonly string[])[] = [];

  /** Adds the pieces of a list, which can contain placeholders. @returns the placeholder of the list */
  add(pieces: readonly string[]): string {
    this.#lists.push(pieces);
    return `${DELIMITER}${this.#lists.length - 1}${DELIMITER}`;
  }

  /** Replaces the placeholders of a text in steps. @returns undefined when the text contains none */
  *replacePlaceholders(text: string): Generator<undefined, LongText | undefined, undefined> {
    return hasPlaceholder(text) ? yield* LongText.inSteps(this.#piecesOf(text)) : undefined;
  }

  *#piecesOf(text: string): Generator<string, void, undefined> {
    if (!hasPlaceholder(text)) {
      yield text;
      return;
    }
    for (const [index, part] of text.split(DELIMITER).entries()) {
      if (index % 2 === 0) {
        if (part !== '') yield part;
      } else {
        for (const piece of this.#lists[Number(part)] ?? []) yield* this.#piecesOf(piece);
      }
    }
  }
}
