import { askByWebSocket } from '../../support/websocket/ask-by-websocket.ts';

/** What a client asks for. */
export type Asked = Readonly<Record<string, unknown>>;

/** A way to ask for events. */
export interface DoorOfEvents {
  readonly name: string;
  /** The code with which a subscription is refused. @throws Error where it is not */
  refusal(origin: string, asked: Asked): Promise<string>;
}

interface Refusal {
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

/** How long an answer is read: a stream that was not refused does not end. @unit milliseconds */
const PATIENCE_MS = 5_000;

async function byHttp(url: string, init: RequestInit): Promise<string> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
  const text = await answer.text();
  return codeOf(JSON.parse(text) as Refusal, text);
}

function codeOf({ errors }: Refusal, text: string): string {
  const code = errors?.[0]?.extensions?.code;
  if (code === undefined) throw new Error(`It was not refused: ${text}`);
  return code;
}

const post =
  (accept: string): DoorOfEvents['refusal'] =>
  (origin, asked) =>
    byHttp(`${origin}/graphql`, { method: 'POST', headers: { accept, 'content-type': 'application/json' }, body: JSON.stringify(asked) });

export const DOORS_OF_EVENTS: readonly DoorOfEvents[] = [
  {
    name: 'WebSocket',
    async refusal(origin, asked) {
      const told = await askByWebSocket(origin, asked);
      return codeOf(told, JSON.stringify(told));
    },
  },
  {
    name: 'server-sent events by GET',
    refusal(origin, asked) {
      const parameters = Object.entries(asked).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
      const target = new URLSearchParams(parameters as [string, string][]).toString();
      return byHttp(`${origin}/graphql?${target}`, { headers: { accept: 'text/event-stream' } });
    },
  },
  { name: 'server-sent events by POST', refusal: post('text/event-stream') },
  { name: 'server-sent events or JSON by POST', refusal: post('text/event-stream, application/json') },
  { name: 'multipart HTTP', refusal: post('multipart/mixed;subscriptionSpec="1.0", application/json') },
];
