import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Sleep } from '../../../gateway/platform/start-polling.ts';
import type { SupergraphListener } from '../../../gateway/supergraph/sources/supergraph-source.ts';

export interface SourceRecord {
  readonly listener: SupergraphListener;
  /** Returns the oldest unread message of the source, or waits for the next one: an SDL, or `problem: …`. */
  next(): Promise<string>;
  /** Removes and returns the unread messages. */
  unread(): readonly string[];
}

/** Records the messages of a source. A test reads them one by one. */
export function recordSource(): SourceRecord {
  const said: string[] = [];
  let wake = (): void => {};
  const say = (what: string): void => {
    said.push(what);
    wake();
  };
  return {
    listener: { onSupergraph: say, onProblem: ({ message }) => say(`problem: ${message}`) },
    async next() {
      while (said.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return said.shift() ?? '';
    },
    unread: () => said.splice(0),
  };
}

export interface SteppedSleep {
  readonly sleep: Sleep;
  /** Duration of each requested pause, in order. @unit milliseconds */
  readonly pauses: readonly number[];
  /** Ends the current pause, or the next one. */
  step(): void;
}

/** Creates pauses that last until the test ends them. */
export function steppedSleep(): SteppedSleep {
  const pauses: number[] = [];
  const waiting: (() => void)[] = [];
  let steps = 0;
  const settle = (): void => {
    while (steps > 0 && waiting.length > 0) {
      steps -= 1;
      waiting.shift()?.();
    }
  };
  return {
    pauses,
    sleep: (ms, signal) =>
      new Promise<void>((resolve) => {
        pauses.push(ms);
        signal.addEventListener('abort', () => resolve(), { once: true });
        waiting.push(resolve);
        settle();
      }),
    step() {
      steps += 1;
      settle();
    },
  };
}

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  /** Requests in order: method, headers, body. */
  readonly requests: { readonly method: string; readonly headers: IncomingMessage['headers']; readonly body: string }[];
  /** Sets the handler of the next requests. */
  respond(handler: (response: ServerResponse, request: IncomingMessage, body: string) => void): void;
}

/** Starts a web server whose responses the test defines. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const requests: ScriptedServer['requests'] = [];
  let handler: Parameters<ScriptedServer['respond']>[0] = (response) => response.writeHead(404).end();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ method: request.method ?? '', headers: request.headers, body });
      handler(response, request, body);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respond(next) {
      handler = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
