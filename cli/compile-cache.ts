import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../gateway/platform/package-root.ts';

/** `node:module` with the functions of Node.js 22.8 and later. */
type CachingModule = typeof nodeModule & {
  readonly enableCompileCache?: (directory: string) => unknown;
  readonly flushCompileCache?: () => void;
};

const caching: CachingModule = nodeModule;

/** Directory of the installation for data that later starts use again. */
export const installationCache = join(packageRoot, 'node_modules/.cache/gatefold');

/**
 * Lets Node.js reuse the compiled code of the previous start for all modules that are loaded afterwards (ADR 103). The directory belongs to
 * the installation: one that other users can write to, such as that for temporary files, could contain code of theirs. Nothing is stored
 * if it is read-only, or before Node.js 22.8. `NODE_COMPILE_CACHE` selects another directory, and `NODE_DISABLE_COMPILE_CACHE` disables
 * the cache.
 */
export function enableCompileCache(): void {
  caching.enableCompileCache?.(installationCache);
}

/** Stores the compiled code of the modules that were not in the cache. Otherwise Node.js stores it when the process exits. */
export function storeCompiledCode(): void {
  caching.flushCompileCache?.();
}
