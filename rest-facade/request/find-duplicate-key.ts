/**
 * Finds the first key that occurs twice in one object of a valid JSON text. `JSON.parse` silently uses the last value, and other parsers
 * use the first one (RFC 8259, section 4). Reads iteratively, so that deep nesting is safe.
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

/** Returns the index of the quote that closes the string opened at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== 0x22) index += text.charCodeAt(index) === 0x5c ? 2 : 1;
  return index;
}

/** Whether a string is a key. In valid JSON, exactly the keys are followed by a colon. */
function isKey(text: string, end: number): boolean {
  let index = end + 1;
  while (' \t\r\n'.includes(text.charAt(index)) && index < text.length) index += 1;
  return text.charAt(index) === ':';
}

function readKey(literal: string): string {
  return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
}
