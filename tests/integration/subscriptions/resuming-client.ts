import { get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { createStreamParser, type StreamMessage } from '../../../gateway/platform/http/client/event-stream-parser.ts';

/** A result in a stream. */
export interface Reported {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
  readonly extensions?: { readonly eventId?: string };
}

/** Callbacks of a client that remains subscribed. */
export interface Ears {
  next(reported: Reported): void;
  /** Reports that a connection was opened. @defaultValue no callback */
  opened?(): void;
  /** Reports that the connection was lost. The client reconnects. */
  closed(why: string): void;
  /** Reports that the gateway has ended the stream. @returns a promise that resolves when the client may subscribe again */
  ended(code: string): Promise<void>;
}

/** A client that resumes after its last event on every interruption, until it is stopped. */
export interface ResumingClient {
  stop(): Promise<void>;
}

export interface Wanted {
  readonly url: string;
  readonly query: string;
  /** @defaultValue anonymous */
  readonly token?: string | undefined;
}

/** Delay between two attempts. It is random because there are many clients. @unit milliseconds */
const pause = (): number => 50 + Math.random() * 250;

/**
 * Follows a subscription over WebSocket with graphql-ws. The library sends the request again on each connection, with its current
 * extensions.
 */
export function followByWebSocket({ url, query, token }: Wanted, ears: Ears): ResumingClient {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: token === undefined ? {} : { authorization: `Bearer ${token}` },
    // A lazy client would close the connection when no subscription is active, but the tests count only closures by the gateway.
    lazy: false,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: () => wait(pause()),
    on: {
      connected: () => ears.opened?.(),
      closed: (event) => ears.closed(`${(event as { code: number }).code} ${(event as { reason: string }).reason}`),
    },
  });
  const extensions: { lastEventId?: string } = {};
  let isStopped = false;
  let unsubscribe: () => void = () => undefined;

  function begin(): void {
    if (isStopped) return;
    unsubscribe = client.subscribe<unknown>(
      { query, extensions },
      {
        next(reported) {
          const { eventId } = (reported as Reported).extensions ?? {};
          if (eventId !== undefined) extensions.lastEventId = eventId;
          ears.next(reported as Reported);
        },
        error: (reason) => void ears.ended(codeOf(reason)).then(begin),
        complete: () => {
          if (!isStopped) void ears.ended('complete').then(begin);
        },
      },
    );
  }

  begin();
  return {
    async stop() {
      isStopped = true;
      unsubscribe();
      await client.dispose();
      client.terminate();
    },
  };
}

function codeOf(reason: unknown): string {
  const [first] = (Array.isArray(reason) ? reason : []) as NonNullable<Reported['errors']>;
  return first?.extensions?.code ?? (reason instanceof Error ? reason.message : JSON.stringify(reason));
}

/** Follows a subscription over server-sent events by the rules of `EventSource`. Unlike `EventSource`, it can send a token. */
export function followByEvents({ url, query, token }: Wanted, ears: Ears): ResumingClient {
  const target = `${url}/graphql?query=${encodeURIComponent(query)}`;
  let lastEventId = '';
  const stopping = new AbortController();
  let abort = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      abort = new AbortController();
      const end = await readOnce(abort.signal).catch((error: unknown) => ({ closed: String(error) }));
      if (stopping.signal.aborted) return;
      if ('ended' in end) await ears.ended(end.ended);
      else ears.closed(end.closed);
      await wait(pause());
    }
  }

  async function readOnce(signal: AbortSignal): Promise<{ readonly ended: string } | { readonly closed: string }> {
    const response = await open(target, signal, {
      accept: 'text/event-stream',
      ...(lastEventId === '' ? {} : { 'last-event-id': lastEventId }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    });
    if (response.statusCode !== 200) {
      response.resume();
      return response.statusCode === 400 ? { ended: 'status 400' } : { closed: `status ${response.statusCode ?? 0}` };
    }
    ears.opened?.();
    let ended: string | undefined;
    let code = 'complete';
    const onMessage = ({ event, id, data }: StreamMessage): void => {
      if (event === 'complete') {
        ended = code;
        return;
      }
      lastEventId = id;
      const reported = JSON.parse(data) as Reported;
      if (reported.data === undefined) code = codeOf(reported.errors);
      else ears.next(reported);
    };
    const parser = createStreamParser(1_000_000, onMessage, (id) => {
      lastEventId = id;
    });
    response.setEncoding('utf8');
    for await (const text of response) parser.push(text as string);
    return ended === undefined ? { closed: 'the end of the response' } : { ended };
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      abort.abort();
      await running;
    },
  };
}

function open(target: string, signal: AbortSignal, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(target, { headers: { ...headers }, agent: false, signal }, resolve).on('error', reject);
  });
}
