import { posix } from 'node:path';
import type { Source } from './read-sources.ts';

export interface Sizes {
  readonly count: number;
  readonly median: number;
  readonly ninetieth: number;
  readonly largest: number;
  readonly below40: number;
}

/** Sizes of files. @unit lines */
export function sizesOf(sources: readonly Source[]): Sizes {
  const lines = sources.map((source) => source.lines).toSorted((one, other) => one - other);
  const at = (share: number): number => lines[Math.min(lines.length - 1, Math.floor(share * lines.length))] ?? 0;
  return { count: lines.length, median: at(0.5), ninetieth: at(0.9), largest: at(1), below40: lines.filter((count) => count < 40).length };
}

/** Finds files under 60 lines that exactly one other file imports, in the same folder. */
export function smallFilesWithOneImporter(sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ path, lines }) => {
      const importers = sources.filter(({ imports }) => imports.includes(path));
      return lines < 60 && importers.length === 1 && posix.dirname(importers[0]?.path ?? '') === posix.dirname(path);
    })
    .map(({ path }) => path);
}

/** Finds names that several files declare and export. */
export function namesWithTwoMeanings(sources: readonly Source[]): readonly string[] {
  const positions = new Map<string, string[]>();
  for (const { path, exports } of sources) for (const name of exports) positions.set(name, [...(positions.get(name) ?? []), path]);
  return [...positions].filter(([, paths]) => paths.length > 1).map(([name, paths]) => `${name} in ${paths.join(', ')}`);
}

/** Finds pairs of folders, `gateway/<name>` and `rest-facade/<name>`, that import each other. */
export function foldersImportingEachOther(sources: readonly Source[]): readonly string[] {
  const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/');
  const arrows = new Set(sources.flatMap(({ path, imports }) => imports.map((to) => `${folderOf(path)} ${folderOf(to)}`)));
  return [...arrows].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' ');
    return from < to && !from.endsWith('.ts') && !to.endsWith('.ts') && arrows.has(`${to} ${from}`);
  });
}

/** Counts the optional members of interfaces. */
export function optionalMembersOf(sources: readonly Source[], file: RegExp, name: RegExp): number {
  const declared = /^export interface (\w+)[^{]*\{\n(.*?)^\}/gms;
  return sources
    .filter(({ path }) => file.test(path))
    .flatMap(({ text }) => Array.from(text.matchAll(declared)))
    .filter(([, found = '']) => name.test(found))
    .reduce((sum, [, , body = '']) => sum + [...body.matchAll(/^ {2}readonly \w+\?:/gm)].length, 0);
}
