import { performance } from 'node:perf_hooks';
import type { Terminal } from './terminal.ts';

/** One press of Ctrl-C can arrive twice: from the terminal, and handed on by npm. @unit milliseconds */
const SAME_KEY_PRESS_MS = 300;

/** The terminal of this process; the only file of the command line that names the process's environment and signals. */
export function processTerminal(): Terminal {
  return {
    env: process.env,
    print: (text) => void process.stdout.write(`${text}\n`),
    warn: (text) => void process.stderr.write(`${text}\n`),
    stopSignal: abortOnSignals,
  };
}

/**
 * Sets `NODE_ENV=production` where nothing is set: graphql-js then leaves out checks against several copies of itself,
 * which it makes at every use of a type.
 */
export function preferProductionChecks(): void {
  process.env['NODE_ENV'] ||= 'production';
}

/** The first signal asks for an orderly end; a second one ends the process at once. */
function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      controller.abort();
    } else if (now - firstAt > SAME_KEY_PRESS_MS) process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return controller.signal;
}
