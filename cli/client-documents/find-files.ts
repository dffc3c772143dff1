import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { CommandFailed } from '../command-failed.ts';

const MAGIC = /[*?{]/;
/** Folders without source files of the project. */
const IGNORED = /^(?:node_modules|\..*)$/;

/**
 * Finds the named files, and the files that match patterns, each once and sorted. In a pattern, `*` and `?` match within a name, `**`
 * matches across folders, and `{a,b}` matches either alternative.
 *
 * @throws CommandFailed for an argument that matches no file
 */
export async function findFiles(patterns: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const pattern of patterns) {
    const files = MAGIC.test(pattern) ? await matchFiles(pattern) : await oneFile(pattern);
    if (files.length === 0) throw new CommandFailed(`No file matches ${pattern}.`);
    for (const file of files) found.add(file);
  }
  return [...found].sort();
}

async function oneFile(path: string): Promise<readonly string[]> {
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  return isFile ? [path] : [];
}

async function matchFiles(pattern: string): Promise<readonly string[]> {
  const segments = pattern.split('/');
  const fixed = segments.slice(
    0,
    segments.findIndex((segment) => MAGIC.test(segment)),
  );
  const root = fixed.join('/') || (pattern.startsWith('/') ? '/' : '.');
  const expression = toExpression(segments.slice(fixed.length).join('/'));
  const files = await filesBelow(root);
  return files.filter((file) => expression.test(relative(root, file).replaceAll(sep, '/')));
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !IGNORED.test(entry.name)) files.push(...(await filesBelow(path)));
    else if (entry.isFile()) files.push(path);
  }
  return files;
}

const TRANSLATIONS: Readonly<Record<string, string>> = {
  '**/': '(?:[^/]+/)*',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
  '{': '(?:',
  '}': ')',
  ',': '|',
};

function toExpression(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/|\*\*|[*?{},]|[.+^$()|[\]\\]/g, (token) => TRANSLATIONS[token] ?? `\\${token}`);
  return new RegExp(`^${source}$`);
}
