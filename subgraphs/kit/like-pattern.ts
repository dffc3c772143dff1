/** Stands for itself in a LIKE pattern, wildcards and all. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
