import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface StockProcess extends AsyncDisposable {
  readonly url: string;
  /** Number of requests received so far. */
  readonly requested: number;
  /** Stops the process: it accepts connections and does nothing more with them. */
  freeze(): void;
  thaw(): void;
}

const SCRIPT = fileURLToPath(new URL('stock-process.js', import.meta.url));

/** Starts a subgraph in a separate process that responds to every request with the same text. */
export async function startStockProcess(text: string, delayMs = 0): Promise<StockProcess> {
  const child: ChildProcess = fork(SCRIPT, [text, String(delayMs)], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: [] });
  const [port] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  let requested = 0;
  child.on('message', () => {
    requested += 1;
  });
  return {
    get requested() {
      return requested;
    },
    url: `http://127.0.0.1:${String(port).trim()}/graphql`,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
