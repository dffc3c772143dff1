/**
 * Arguments of Node for a process that ends after seconds. V8 compiles functions a second time, optimized, when they have run for a while, which
 * a process that ends soon does not earn back: that is a quarter of the processor time in which `gatefold dev` starts. And it begins with
 * 16 MB for new objects in place of 1 MB, so that it seldom stops to collect them.
 */
export const SHORT_LIVED: readonly string[] = ['--interrupt-budget=1000000', '--min-semi-space-size=16'];
