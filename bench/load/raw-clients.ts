import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FRESH_DIGITS } from '../graph/operations.ts';
import { createByteTemplate } from './byte-template.ts';
import { readMessages } from './http-messages.ts';

export interface RawClientsOptions {
  /** Ports of the gateways, at 127.0.0.1. The connections are spread over them in turn. */
  readonly ports: readonly number[];
  /** JSON text of the request. */
  readonly body: string;
  /** Expected response to the unmodified body, byte for byte. */
  readonly response: string;
  readonly connections: number;
}

/** Clients in a closed loop: each sends the next request when it has received a response. */
export interface RawClients {
  /** Number of correct responses so far. */
  readonly responses: number;
  /** Number of other responses so far. */
  readonly failures: number;
  /** Description of the first failure. */
  readonly failure: string | undefined;
  /** Waits for the last response of every client, and closes the connections. */
  stop(): Promise<void>;
}

let nextDigits = Number(FRESH_DIGITS);

/**
 * Starts the clients. They write prepared bytes and compare each response with the expected bytes. If the body contains `FRESH_DIGITS`, each
 * request contains other digits, and so must its response.
 */
export async function startRawClients({ ports, body, response, connections }: RawClientsOptions): Promise<RawClients> {
  let responses = 0;
  let failures = 0;
  let failure: string | undefined;
  let isStopping = false;
  const isFresh = body.includes(FRESH_DIGITS);

  function fail(reason: string): void {
    failures += 1;
    failure ??= reason;
  }

  async function open(port: number): Promise<{ readonly closed: Promise<void> }> {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const requestWith = createByteTemplate(requestOf(port, body));
    const responseWith = createByteTemplate(response);
    let digits = FRESH_DIGITS;
    function send(): void {
      if (isFresh) {
        nextDigits += 1;
        digits = String(nextDigits);
      }
      socket.write(requestWith(digits));
    }
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        if (!isStopping) fail('The gateway closed a connection.');
        resolve();
      });
    });
    socket.on('error', (error) => fail(error.message));
    readMessages(socket, ({ start, body: received }) => {
      if (start.startsWith('HTTP/1.1 200') && received.equals(responseWith(digits))) responses += 1;
      else fail(`${start}: ${received.toString().slice(0, 300)}, expected ${responseWith(digits).toString().slice(0, 300)}`);
      if (isStopping) socket.end();
      else send();
    });
    send();
    return { closed };
  }

  const opened = await Promise.all(Array.from({ length: connections }, async (_, index) => open(ports[index % ports.length] ?? 0)));
  return {
    get responses() {
      return responses;
    },
    get failures() {
      return failures;
    },
    get failure() {
      return failure;
    },
    async stop() {
      isStopping = true;
      await Promise.all(opened.map(async ({ closed }) => closed));
    },
  };
}

function requestOf(port: number, body: string): string {
  const headers = `host: 127.0.0.1:${port}\r\ncontent-type: application/json\r\naccept: application/json`;
  return `POST /graphql HTTP/1.1\r\n${headers}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
