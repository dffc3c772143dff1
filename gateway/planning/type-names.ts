const texts = new WeakMap<readonly string[], string>();

/** Writes the names of types as one text: equal for equal lists. A list never changes once it was written, so it is written once. */
export function textOfTypes(types: readonly string[]): string {
  let text = texts.get(types);
  if (text === undefined) texts.set(types, (text = types.join(' ')));
  return text;
}
