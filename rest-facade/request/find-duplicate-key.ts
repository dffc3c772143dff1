/**
 * The first key that stands twice in one object of a well-formed JSON text. `JSON.parse` keeps the last and says
 * nothing; another reader keeps the first (RFC 8259, section 4). Reads iteratively, whatever the nesting.
 */
export function findDuplicateKey(text: string): string | undefined {
  const objects: (Set<string> | undefined)[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '{') objects.push(new Set());
    else if (character === '[') objects.push(undefined);
    else if (character === '}' || character === ']') objects.pop();
    else if (character === '"') {
      const end = endOfString(text, index);
      const keys = isKey(text, end) ? objects.at(-1) : undefined;
      if (keys !== undefined) {
        const key = readKey(text.slice(index, end + 1));
        if (keys.has(key)) return key;
        keys.add(key);
      }
      index = end;
    }
  }
  return undefined;
}

/** Index of the quote that closes the string opened at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== 0x22) index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  return index;
}

/** In sound JSON, a string before a colon is a key, and no other string is. */
function isKey(text: string, end: number): boolean {
  let index = end + 1;
  while (' \t\r\n'.includes(text.charAt(index)) && index < text.length) index += 1;
  return text.charAt(index) === ':';
}

function readKey(literal: string): string {
  return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
}
