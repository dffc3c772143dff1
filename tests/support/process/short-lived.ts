import { OPTIMIZE_LATER } from '../../../cli/tooling/optimize-later.ts';

/**
 * Arguments of Node for a process that ends after seconds. Optimization by V8 does not pay off there: it takes a quarter of the processor
 * time in which `gatefold dev` starts. The process begins with 16 MB for new objects instead of 1 MB, so that it rarely stops to collect
 * them.
 */
export const SHORT_LIVED: readonly string[] = [...OPTIMIZE_LATER, '--single-threaded-gc', '--min-semi-space-size=16'];
