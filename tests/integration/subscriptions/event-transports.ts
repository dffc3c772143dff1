import { queryByWebSocket } from '../../support/websocket/query-by-websocket.ts';

/** Parameters of a GraphQL request. */
export type QueryResult = Readonly<Record<string, unknown>>;

/** A transport for events. */
export interface EventTransport {
  readonly name: string;
  /** Returns the error code with which a subscription is rejected. @throws Error when the subscription is accepted */
  error(origin: string, requested: QueryResult): Promise<string>;
}

interface ErrorBody {
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

/** Timeout for reading a response. A stream that is accepted does not end. @unit milliseconds */
const PATIENCE_MS = 5_000;

async function byHttp(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
  const text = await response.text();
  return codeOf(JSON.parse(text) as ErrorBody, text);
}

function codeOf({ errors }: ErrorBody, text: string): string {
  const code = errors?.[0]?.extensions?.code;
  if (code === undefined) throw new Error(`The subscription was not rejected: ${text}`);
  return code;
}

const post =
  (accept: string): EventTransport['error'] =>
  (origin, requested) =>
    byHttp(`${origin}/graphql`, {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json' },
      body: JSON.stringify(requested),
    });

export const EVENT_TRANSPORTS: readonly EventTransport[] = [
  {
    name: 'WebSocket',
    async error(origin, requested) {
      const reported = await queryByWebSocket(origin, requested);
      return codeOf(reported, JSON.stringify(reported));
    },
  },
  {
    name: 'server-sent events by GET',
    error(origin, requested) {
      const parameters = Object.entries(requested).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      const target = new URLSearchParams(parameters as [string, string][]).toString();
      return byHttp(`${origin}/graphql?${target}`, { headers: { accept: 'text/event-stream' } });
    },
  },
  { name: 'server-sent events by POST', error: post('text/event-stream') },
  { name: 'server-sent events or JSON by POST', error: post('text/event-stream, application/json') },
  { name: 'multipart HTTP', error: post('multipart/mixed;subscriptionSpec="1.0", application/json') },
];
