/** Escapes a text for a LIKE pattern, so that it contains no wildcards. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
