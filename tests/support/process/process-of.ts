import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { SHORT_LIVED } from './short-lived.ts';

/** How Node is told to run a file. */
export interface Runnable {
  readonly file: string;
  readonly execArgv: readonly string[];
}

/**
 * A source of the product, to be run in a process of its own. Under Jest, which comes after a build, it is what was built of it: that
 * starts in a third of the time. Under tsx it is the source.
 *
 * @param source relative to the package, such as `subgraphs/main.ts`
 */
export function processOf(source: string): Runnable {
  if (isUnderTsx()) return { file: join(packageRoot, source), execArgv: LOADED_BY_TSX };
  return { file: join(packageRoot, 'dist', source.replace(/\.ts$/, '.js')), execArgv: SHORT_LIVED };
}

/** Arguments of Node for a process of the tests whose module is TypeScript. The modules of the product are those of `processOf`. */
export function argumentsForTypeScript(): readonly string[] {
  return isUnderTsx() ? LOADED_BY_TSX : ['--import', new URL('run-built.js', import.meta.url).href];
}

const LOADED_BY_TSX: readonly string[] = ['--import', createRequire(import.meta.url).resolve('tsx')];

const isUnderTsx = (): boolean => process.execArgv.some((argument) => argument.includes('tsx'));
