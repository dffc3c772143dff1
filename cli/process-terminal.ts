import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline/promises';
import { text as readText } from 'node:stream/consumers';
import { installationCache, storeCompiledCode } from './compile-cache.ts';
import type { Dialog, Terminal, TerminalInput } from './terminal.ts';
import { lowerEnginePriority } from './lower-engine-priority.ts';
import { tuneCompilers } from './tune-compilers.ts';
import { tuneGarbageCollection } from './tune-garbage-collection.ts';

/** Ctrl-C can arrive twice: from the terminal, and forwarded by npm. @unit milliseconds */
const SAME_KEY_PRESS_MS = 300;

/** Returns the terminal of this process. No other file of the command line accesses the environment and the signals of the process. */
export function processTerminal(): Terminal {
  return {
    env: process.env,
    input: processInput,
    print: (text) => void process.stdout.write(`${text}\n`),
    warn: (text) => void process.stderr.write(`${text}\n`),
    stopSignal: ({ isWorker = false } = {}) => (isWorker ? abortAsWorker() : abortOnSignals()),
    onUnhandledError: interceptErrors,
    onHangUp: (listener) => void process.on('SIGHUP', listener),
    cacheDirectory: process.env['GATEFOLD_CACHE_DIR'] || installationCache,
    onServing: prepareToServe,
  };
}

const processInput: TerminalInput = {
  get isInteractive() {
    return process.stdin.isTTY && process.stdout.isTTY;
  },
  readAll: async () => readText(process.stdin),
  openDialog,
};

function openDialog(): Dialog {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  return {
    prompt: async (text) => lines.question(text, { signal: ended.signal }),
    [Symbol.dispose]: () => lines.close(),
  };
}

/**
 * Sets `NODE_ENV=production` if it is not set. graphql-js then skips its check for multiple copies of itself, which otherwise runs at every
 * use of a type.
 */
export function preferProductionChecks(): void {
  process.env['NODE_ENV'] ||= 'production';
}

/**
 * Configures the process for requests. Node.js and the cache discard compiled code whose options of V8 differ from the current ones, so the
 * options are set when all code is loaded.
 */
function prepareToServe(): void {
  storeCompiledCode();
  const options = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
  tuneCompilers(options);
  tuneGarbageCollection(options);
  lowerEnginePriority(options);
}

/** Passes on uncaught exceptions and unhandled rejections, which Node.js reports as exceptions. */
function interceptErrors(listener: (error: unknown) => void, timeoutMs: number): void {
  let isFirst = true;
  process.on('uncaughtException', (error: unknown) => {
    if (isFirst) setTimeout(() => process.exit(1), timeoutMs).unref();
    isFirst = false;
    listener(error);
  });
}

/** Aborts at the first signal, for a graceful shutdown. A second signal ends the process immediately. */
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

/**
 * Aborts a worker process at the first SIGTERM. Signals of a terminal reach all processes of its group. A worker ignores them, because its
 * primary receives them too and stops the workers.
 */
function abortAsWorker(): AbortSignal {
  const controller = new AbortController();
  for (const ignored of ['SIGINT', 'SIGHUP'] as const) process.on(ignored, () => {});
  process.on('SIGTERM', () => controller.abort());
  return controller.signal;
}
