/** A segment of a path of a document. */
export interface PathSegment {
  /** Text as written, such as `users`, `{id}` or `{name}.{format}`. */
  readonly text: string;
  /** Names of its parameters. */
  readonly parameters: readonly string[];
}

/** Parses a path of a document. Returns the reason if no URL can be built from it. */
export function parsePath(path: string): readonly PathSegment[] | string {
  if (!path.startsWith('/')) return 'its path does not begin with a slash';
  if (/[?#]/.test(path)) return 'its path contains a query or a fragment';
  if (/[\p{Cc}\p{Cs}\\]/u.test(path)) return 'its path contains characters that no URL contains';
  const texts = path.split('/').filter((text) => text !== '');
  const segments = texts.map((text) => ({ text, parameters: [...text.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name) }));
  const remainders = texts.map((text) => text.replaceAll(/\{[^{}]+\}/g, ''));
  if (remainders.some((text) => /[{}]/.test(text))) return 'the braces of its path are not balanced';
  if (texts.some((text) => /^(?:\.|%2e){1,2}$/i.test(text))) return 'its path contains a relative segment';
  const names = segments.flatMap(({ parameters }) => parameters);
  return new Set(names).size === names.length ? segments : 'its path contains a parameter twice';
}
