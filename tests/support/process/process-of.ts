import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { SHORT_LIVED } from './short-lived.ts';

/** File and options with which Node runs it. */
export interface Runnable {
  readonly file: string;
  readonly execArgv: readonly string[];
}

/**
 * Returns how to run a source of the product in a separate process. Under Jest, which runs after a build, it is the built file, which
 * starts in a third of the time. Under tsx it is the source.
 *
 * @param source path relative to the package, such as `subgraphs/main.ts`
 */
export function processOf(source: string): Runnable {
  if (isUnderTsx()) return { file: join(packageRoot, source), execArgv: LOADED_BY_TSX };
  return { file: join(packageRoot, 'dist', source.replace(/\.ts$/, '.js')), execArgv: SHORT_LIVED };
}

/** Returns the arguments of Node for a test process whose module is TypeScript. Modules of the product are loaded as in `processOf`. */
export function argumentsForTypeScript(): readonly string[] {
  return isUnderTsx() ? LOADED_BY_TSX : ['--import', new URL('run-built.js', import.meta.url).href];
}

const LOADED_BY_TSX: readonly string[] = ['--import', createRequire(import.meta.url).resolve('tsx')];

const isUnderTsx = (): boolean => process.execArgv.some((argument) => argument.includes('tsx'));
