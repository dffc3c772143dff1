import { isDeepStrictEqual } from 'node:util';
import { Client, type Dispatcher } from 'undici';
import { FRESH_DIGITS } from '../graph/operations.ts';

export interface LoadOptions {
  /** `http://host:port` */
  readonly origin: string;
  readonly path: string;
  /** JSON text of the request. */
  readonly body: string;
  /** Whether the digits in the body are replaced in every request. */
  readonly isFresh: boolean;
  /** Expected response to the unmodified body, byte for byte. */
  readonly response: string;
  /** Number of clients. Each one sends the next request after its last response. */
  readonly connections: number;
}

/** Results since the last call of `read`. */
export interface LoadReading {
  /** Latencies of all responses. @unit milliseconds */
  readonly latencies: readonly number[];
  /** Number of responses that did not have status 200 and the expected body. */
  readonly failures: number;
  /** Description of the first failure. */
  readonly failure?: string;
}

/** Clients in a closed loop. */
export interface Load {
  /** Returns the results and resets them. */
  read(): LoadReading;
  /** Waits for the last response of every client. @returns Total number of requests sent. */
  stop(): Promise<number>;
}

/** Numbers are unique within this process. */
let nextDigits = Number(FRESH_DIGITS);

/** Starts the clients. Every response is compared with the expected one, also during the measurement. */
export function startLoad({ origin, path, body, isFresh, response, connections }: LoadOptions): Load {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const expected = Buffer.from(response);
  let latencies: number[] = [];
  let failures = 0;
  let failure: string | undefined;
  let sent = 0;
  let isStopping = false;

  function check(status: number, bytes: Buffer, digits: string): void {
    if (status === 200 && (isFresh ? bytes.toString() === response.replaceAll(FRESH_DIGITS, digits) : bytes.equals(expected))) return;
    if (status === 200 && isSameValue(bytes.toString(), response.replaceAll(FRESH_DIGITS, digits))) return;
    fail(`HTTP ${status}: ${bytes.toString().slice(0, 500)}`);
  }

  function fail(reason: string): void {
    failures += 1;
    failure ??= reason;
  }

  function send(client: Client, done: () => void): void {
    if (isStopping) {
      done();
      return;
    }
    sent += 1;
    const digits = isFresh ? String((nextDigits += 1)) : FRESH_DIGITS;
    const request: Dispatcher.DispatchOptions = {
      path,
      method: 'POST',
      headers,
      body: isFresh ? body.replaceAll(FRESH_DIGITS, digits) : body,
    };
    const chunks: Buffer[] = [];
    let status = 0;
    const begin = performance.now();
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        latencies.push(performance.now() - begin);
        check(status, chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks), digits);
        send(client, done);
      },
      onResponseError(_controller, error) {
        fail(String(error));
        // Without a delay, requests to a stopped gateway would repeat endlessly.
        setTimeout(() => send(client, done), 10);
      },
    });
  }

  const clients = Array.from({ length: connections }, () => new Client(origin, { pipelining: 1, headersTimeout: 60_000 }));
  const running = clients.map((client) => new Promise<void>((resolve) => send(client, resolve)));
  return {
    read() {
      const reading = { latencies, failures, ...(failure === undefined ? {} : { failure }) };
      latencies = [];
      failures = 0;
      failure = undefined;
      return reading;
    },
    async stop() {
      isStopping = true;
      await Promise.all(running);
      await Promise.all(clients.map((client) => client.close()));
      return sent;
    },
  };
}

function isSameValue(text: string, other: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), JSON.parse(other));
  } catch {
    return false;
  }
}
