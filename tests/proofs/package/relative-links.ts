import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

/**
 * Finds relative links of the packed pages to files that are not in the tarball. Pages for contributors link to sources, which only the
 * repository contains.
 */
export async function findDanglingLinks(files: readonly string[]): Promise<readonly string[]> {
  const packed = new Set(files);
  const pages = files.filter((path) => /^(?:README\.md|docs\/.*\.md)$/.test(path) && !path.startsWith('docs/internals/'));
  const found = await Promise.all(
    pages.map(async (page) => {
      const text = (await readFile(join(packageRoot, page), 'utf8')).replaceAll(/```[\s\S]*?```/g, '');
      return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target) && !packed.has(normalize(join(dirname(page), target))))
        .map((target) => `${page}: ${target}`);
    }),
  );
  return found.flat();
}
