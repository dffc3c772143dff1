import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface StockProcess extends AsyncDisposable {
  readonly url: string;
  /** Requests that have come in so far. */
  readonly requested: number;
  /** Takes connections and does nothing with them any more. */
  freeze(): void;
  thaw(): void;
}

const SCRIPT = fileURLToPath(new URL('stock-process.js', import.meta.url));

/** A subgraph in a process of its own that answers everything with one text. */
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
