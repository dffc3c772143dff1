/**
 * Arguments of Node for processes that run most of their code only briefly. V8 optimizes a function after 66 KB of executed bytecode, and
 * inlines up to 920 bytes of bytecode of called functions. That is too early and too much for code that is soon no longer needed. Later
 * versions of Node count calls, and do not have these options.
 */
export const OPTIMIZE_LATER: readonly string[] = process.versions.node.startsWith('20.')
  ? ['--interrupt-budget=1000000', '--max-inlined-bytecode-size-cumulative=200']
  : [];
