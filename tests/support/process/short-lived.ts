import { OPTIMIZE_LATER } from '../../../cli/tooling/optimize-later.ts';

/**
 * Arguments of Node for a process that ends after seconds. The code that V8 optimizes does not earn back there what that takes: a quarter of
 * the processor time in which `gatefold dev` starts. And it begins with 16 MB for new objects in place of 1 MB, so that it seldom stops to
 * collect them.
 */
export const SHORT_LIVED: readonly string[] = [...OPTIMIZE_LATER, '--single-threaded-gc', '--min-semi-space-size=16'];
