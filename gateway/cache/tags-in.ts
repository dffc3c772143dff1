/** The names in a `Cache-Tag`, between commas. */
export function tagsIn(cacheTags: string | undefined): readonly string[] {
  if (cacheTags === undefined) return [];
  return cacheTags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
