/**
 * The dotted names of a list of fields: `id,orders(id,status)` is `id`, `orders.id` and `orders.status`. Reads iteratively, and stops at
 * more names than there may be.
 *
 * @returns undefined where the brackets do not match, or stand where none may
 */
export function splitFields(text: string, maxNames: number): readonly string[] | undefined {
  if (!text.includes('(') && !text.includes(')')) return text.split(',', maxNames + 1);
  const names: string[] = [];
  const prefixes: string[] = [''];
  let start = 0;
  let isClosed = false;
  for (let index = 0; index <= text.length && names.length <= maxNames; index += 1) {
    const character = text[index] ?? ',';
    const isEnd = character === ',' || character === ')';
    if (!isEnd && character !== '(') {
      if (isClosed) return undefined;
      continue;
    }
    const prefix = prefixes.at(-1) ?? '';
    const word = text.slice(start, index);
    start = index + 1;
    if (character === '(') {
      if (word === '' || isClosed) return undefined;
      prefixes.push(`${prefix}${word}.`);
      continue;
    }
    if (!isClosed) names.push(prefix + word);
    isClosed = character === ')';
    if (isClosed && prefixes.pop() !== undefined && prefixes.length === 0) return undefined;
  }
  return prefixes.length === 1 || names.length > maxNames ? names : undefined;
}
