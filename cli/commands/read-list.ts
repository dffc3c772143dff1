/** Parses the value of an option with comma-separated names. Empty names are dropped. */
export function readList(text: string): readonly string[] {
  return text.split(',').flatMap((name) => name.trim() || []);
}
