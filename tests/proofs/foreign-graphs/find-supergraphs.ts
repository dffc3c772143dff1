import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Repositories whose test fixtures are read, as `owner/name`. */
export const REPOSITORIES = ['apollographql/router', 'apollographql/federation', 'graphql-hive/router', 'wundergraph/cosmo'] as const;

/** A composed supergraph of a repository. */
export interface ForeignSupergraph {
  /** Path relative to the directory of all repositories. Files with equal text are one supergraph, under the first path. */
  readonly file: string;
  readonly sdl: string;
}

/** Lists the repositories without a checkout. */
export function findMissing(directory: string): readonly string[] {
  return REPOSITORIES.filter((repository) => !existsSync(join(directory, repository)));
}

/** Finds all files with a composed supergraph. */
export function findSupergraphs(directory: string): { readonly files: number; readonly supergraphs: readonly ForeignSupergraph[] } {
  const byText = new Map<string, ForeignSupergraph>();
  let files = 0;
  for (const path of REPOSITORIES.flatMap((repository) => filesIn(join(directory, repository), /\.graphqls?$/))) {
    const sdl = readFileSync(path, 'utf8');
    if (!/^enum join__Graph\b/m.test(sdl)) continue;
    files += 1;
    if (!byText.has(sdl)) byText.set(sdl, { file: relative(directory, path), sdl });
  }
  return { files, supergraphs: [...byText.values()] };
}

/** Lists files below a directory, in the order of their names. */
export function filesIn(directory: string, name: RegExp): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.name === '.git' || entry.name === 'node_modules') return [];
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return filesIn(path, name);
      return entry.isFile() && name.test(entry.name) ? [path] : [];
    });
}
