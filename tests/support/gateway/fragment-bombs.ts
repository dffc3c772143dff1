/** `count` fragments that each spread the next one twice; the last selects a field. They add selections, and neither depth nor aliases. */
export function doublingFragments(count: number, type = 'Account'): string {
  const doubling = Array.from({ length: count }, (_, index) => `fragment F${index} on ${type}{...F${index + 1} ...F${index + 1}}`);
  return [...doubling, `fragment F${count} on ${type}{name}`].join('');
}

/** The same with a level and an alias in each of them. */
export function nestedDoublingFragments(count: number): string {
  const doubling = Array.from(
    { length: count },
    (_, index) => `fragment F${index} on Account{friend{...F${index + 1}} f:friend{...F${index + 1}}}`,
  );
  return [...doubling, `fragment F${count} on Account{name}`].join('');
}

/** `count` fragments that each spread all of them, themselves too. */
export function tangledFragments(count: number, type = 'Account'): string {
  const all = Array.from({ length: count }, (_, index) => `...F${index}`).join(' ');
  return Array.from({ length: count }, (_, index) => `fragment F${index} on ${type}{${all}}`).join('');
}

/** `count` fragments that each spread the next one, and the last the first. */
export function circleOfFragments(count: number): string {
  return Array.from({ length: count }, (_, index) => `fragment F${index} on Account{name ...F${(index + 1) % count}}`).join('');
}
