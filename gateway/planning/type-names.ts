const texts = new WeakMap<readonly string[], string>();

/** Joins type names into one text. Equal lists have equal texts. Lists never change, so the text of each list is cached. */
export function textOfTypes(types: readonly string[]): string {
  let text = texts.get(types);
  if (text === undefined) texts.set(types, (text = types.join(' ')));
  return text;
}
