/**
 * Arguments of Node for processes that run most of their code for moments. V8 compiles a function a second time, optimized, once it has run
 * 66 KB of bytecode, with up to 920 bytes of bytecode of the functions that it calls: too early and too much for code that soon is not needed
 * any more. Later versions of Node count calls, and have no such option.
 */
export const OPTIMIZE_LATER: readonly string[] = process.versions.node.startsWith('20.')
  ? ['--interrupt-budget=1000000', '--max-inlined-bytecode-size-cumulative=200']
  : [];
