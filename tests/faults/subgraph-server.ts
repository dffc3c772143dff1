import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { freePort } from '../support/http/free-port.ts';
import { createShopResponder, type ShopSubgraph } from './shop-subgraphs.ts';

/** One request as received, and its correct response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly socket: Socket;
  /** Returns the correct response, as JSON text. */
  respond(): Promise<string>;
}

/** Sends something else instead of a correct response. */
export type Misbehavior = (exchange: Exchange) => unknown;

/** A subgraph on its own port that can be made to misbehave, and that counts requests. */
export interface SubgraphServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Bodies of the requests since the last `reset`, in the order of their arrival. */
  readonly bodies: readonly string[];
  /** Number of requests in progress, and the highest number at one time. */
  readonly busy: { readonly now: number; readonly most: number };
  /** Number of requests whose caller disconnected before the response. */
  readonly hungUp: number;
  /** Sets the misbehavior of further requests. Without an argument, the subgraph responds correctly again. */
  behave(misbehavior?: Misbehavior): void;
  /** Removes the misbehavior and resets all counters. */
  reset(): void;
  /** Closes the port. */
  stop(): Promise<void>;
  /** Listens on the port again. */
  start(): Promise<void>;
}

/** Starts one of the three subgraphs. */
export async function startSubgraphServer(name: ShopSubgraph): Promise<SubgraphServer> {
  const respond = createShopResponder(name);
  const bodies: string[] = [];
  const busy = { now: 0, most: 0 };
  let misbehave: Misbehavior | undefined;
  let hungUp = 0;
  const server = createServer((request, response) => {
    busy.now += 1;
    busy.most = Math.max(busy.most, busy.now);
    response.on('close', () => {
      busy.now -= 1;
      if (!response.writableFinished) hungUp += 1;
    });
    text(request).then(
      async (body) => {
        bodies.push(body);
        if (misbehave !== undefined) misbehave({ request, response, body, socket: request.socket, respond: () => respond(body) });
        else response.setHeader('content-type', 'application/json').end(await respond(body));
      },
      () => request.destroy(),
    );
  });
  const port = await freePort();
  const start = async (): Promise<void> => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  await start();
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    port,
    bodies,
    busy,
    get hungUp() {
      return hungUp;
    },
    behave(next) {
      misbehave = next;
    },
    reset() {
      misbehave = undefined;
      bodies.length = 0;
      busy.most = busy.now;
      hungUp = 0;
    },
    stop,
    start,
    [Symbol.asyncDispose]: stop,
  };
}
