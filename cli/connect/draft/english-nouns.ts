/** Nouns whose plural follows no rule. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['men', 'man'],
  ['women', 'woman'],
  ['indices', 'index'],
  ['vertices', 'vertex'],
  ['matrices', 'matrix'],
  ['statuses', 'status'],
  ['addresses', 'address'],
  ['aliases', 'alias'],
  ['movies', 'movie'],
  ['cookies', 'cookie'],
  ['caches', 'cache'],
  ['skus', 'sku'],
  ['menus', 'menu'],
  ['data', 'data'],
  ['news', 'news'],
  ['series', 'series'],
  ['media', 'media'],
]);

/** Returns the singular of the last word of a camel-case name: `blogPosts` becomes `blogPost`. A singular stays as it is. */
export function singular(name: string): string {
  const [, before = '', word = ''] = /^(.*?)([A-Z]?[a-z0-9]+|[A-Z0-9]+|)$/.exec(name) ?? [];
  if (word === '') return name;
  return before + matchCase(word, singularWord(word.toLowerCase()));
}

function singularWord(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/.test(word) && !/(?:[^s]ses|houses|bases|cases|uses)$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && word.length > 2 ? word.slice(0, -1) : word;
}

function matchCase(original: string, word: string): string {
  return /^[A-Z]/.test(original) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

/** Whether a name is probably a plural. */
export function isPlural(name: string): boolean {
  return singular(name) !== name;
}
