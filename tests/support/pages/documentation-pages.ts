import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { type MarkdownPage, readMarkdownPage } from './markdown-page.ts';

/** Lists the paths of the pages below a folder of the repository. */
export function pagePathsBelow(folder: string): readonly string[] {
  return readdirSync(join(packageRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name.startsWith('.') ? [] : pagePathsBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Reads all pages: those at the root, and those below `docs`. */
export function documentationPages(): readonly MarkdownPage[] {
  const root = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
  return [...root, ...pagePathsBelow('docs')].map(readMarkdownPage);
}
