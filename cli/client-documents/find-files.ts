import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { CommandFailed } from '../command-failed.ts';

const MAGIC = /[*?{]/;
/** Folders that hold nothing of one's own. */
const IGNORED = /^(?:node_modules|\..*)$/;

/**
 * The files that are named, and those that patterns match, each once and in order. In a pattern `*` and `?` stay within a
 * name, `**` goes through folders, and `{a,b}` is one or the other.
 *
 * @throws CommandFailed for what names or matches nothing
 */
export async function findFiles(patterns: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const pattern of patterns) {
    const files = MAGIC.test(pattern) ? await matchFiles(pattern) : await oneFile(pattern);
    if (files.length === 0) throw new CommandFailed(`There is no file ${pattern}.`);
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
