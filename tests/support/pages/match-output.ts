/** Whether an output contains the expected text. `…` matches any text; white space does not count. */
export function containsOutput(output: string, expected: string): boolean {
  const bare = (text: string) => text.replaceAll(/\s+/g, '');
  const pieces = bare(expected)
    .split('…')
    .filter((piece) => piece !== '');
  let at = 0;
  const text = bare(output);
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return true;
}
