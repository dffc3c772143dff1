import { setTimeout as wait } from 'node:timers/promises';
import { type Ears, followByEvents, followByWebSocket, type ResumingClient, type Reported } from './resuming-client.ts';

/** Subscription that a client selects. */
type Kind = 'counted' | 'counted-extra' | 'listed' | 'ticked';

const QUERIES: Readonly<Record<Kind, string>> = {
  counted: 'subscription { counted { n note } }',
  'counted-extra': 'subscription { it: counted { n extra } }',
  listed: 'subscription { listed { n note } }',
  ticked: 'subscription { ticked { n note } }',
};

/** Distribution of the subscriptions among twenty clients. */
const SHARES: readonly Kind[] = [
  ...Array<Kind>(9).fill('counted'),
  ...Array<Kind>(7).fill('listed'),
  'counted-extra',
  ...Array<Kind>(3).fill('ticked'),
];

/** Number of connections that are opened between two pauses. */
const AT_ONCE = 50;

interface Member {
  readonly name: string;
  readonly kind: Kind;
  last: number | undefined;
  /** Whether a gap was reported since the last event. */
  isGapReported: boolean;
}

/** Conditions that are allowed at the moment. */
export interface CrowdContext {
  /** Whether connections may be closed. */
  mayClose: boolean;
  /** Whether the supergraph has the field that a few clients select. */
  hasExtra: boolean;
  /** Resolves when the supergraph has the field again. */
  extraIsBack: Promise<void>;
  /** Called with the name of a client when its connection was closed, and when it has another one. @defaultValue no callbacks */
  readonly onClosed?: (name: string) => void;
  readonly onOpened?: (name: string) => void;
}

export interface CrowdFigures {
  /** Number of events that all clients have received. */
  readonly heard: number;
  /** Number of `EVENTS_MAY_BE_MISSED` errors that clients have received. */
  readonly gapsReported: number;
  /** Number of `SUBSCRIPTION_SCHEMA_RELOAD` errors that clients have received. */
  readonly reloadsReported: number;
  readonly connectionsClosed: number;
}

/** Clients that remain subscribed and report every unexpected event, error or disconnect. */
export interface NumberedCrowd {
  readonly figures: CrowdFigures;
  /** Number of clients that select the field that is removed and restored. */
  readonly withExtra: number;
  /** @param isSocket whether the client of an index uses WebSocket. @defaultValue every second one */
  gather(url: string, count: number, isSocket?: (index: number) => boolean): Promise<void>;
  /** Returns the names of clients that should have received an event and have not. */
  without(event: number): readonly string[];
  disperse(): Promise<void>;
}

export function createNumberedCrowd(now: CrowdContext, failure: (text: string) => void): NumberedCrowd {
  const members: Member[] = [];
  const clients: ResumingClient[] = [];
  const figures = { heard: 0, gapsReported: 0, reloadsReported: 0, connectionsClosed: 0 };
  const isWithoutField = ({ kind }: Member): boolean => kind === 'counted-extra' && !now.hasExtra;

  function hearGap(member: Member, reported: Reported): void {
    const codes = reported.errors?.map(({ extensions }) => extensions?.code) ?? [];
    if (!codes.includes('EVENTS_MAY_BE_MISSED')) return failure(`${member.name} received ${JSON.stringify(reported)}`);
    if (member.kind !== 'ticked') failure(`${member.name} received a gap error although its events have IDs`);
    member.isGapReported = true;
    figures.gapsReported += 1;
    return undefined;
  }

  function hear(member: Member, reported: Reported): void {
    const n = numberOf(reported);
    if (n === undefined) return hearGap(member, reported);
    figures.heard += 1;
    if (reported.errors !== undefined) failure(`${member.name} received event ${n} with ${JSON.stringify(reported.errors)}`);
    const { last = n - 1, isGapReported } = member;
    const isNext = n === last + 1 || (isGapReported && n > last);
    if (!isNext) failure(`${member.name} received event ${n} after ${last}${isGapReported ? ' and a reported gap' : ''}`);
    member.last = n;
    member.isGapReported = false;
    return undefined;
  }

  async function hearEnd(member: Member, code: string): Promise<void> {
    if (code === 'SUBSCRIPTION_SCHEMA_RELOAD') {
      figures.reloadsReported += 1;
      if (!isWithoutField(member)) failure(`The stream of ${member.name} was ended by a supergraph that supports its operation`);
      return now.extraIsBack;
    }
    // The gateway stopped before it could report that over the transport, or the field is not restored yet.
    if (isWithoutField(member)) return now.extraIsBack;
    if (!now.mayClose || code !== 'OVERLOADED') failure(`The stream of ${member.name} was ended: ${code}`);
    return wait(100);
  }

  const earsOf = (member: Member): Ears => ({
    next: (reported) => hear(member, reported),
    opened: () => now.onOpened?.(member.name),
    closed(why) {
      figures.connectionsClosed += 1;
      now.onClosed?.(member.name);
      if (!now.mayClose) failure(`The connection of ${member.name} was closed without a restart: ${why}`);
    },
    ended: (code) => hearEnd(member, code),
  });

  return {
    figures,
    get withExtra() {
      return members.filter(({ kind }) => kind === 'counted-extra').length;
    },
    async gather(url, count, isSocket = (index) => index % 2 === 0) {
      for (let index = 0; index < count; index += 1) {
        const kind = SHARES[Math.floor(index / 2) % SHARES.length] ?? 'counted';
        const [follow, transport] = isSocket(index) ? ([followByWebSocket, 'WebSocket'] as const) : ([followByEvents, 'SSE'] as const);
        const member: Member = { name: `client ${index} (${kind}, ${transport})`, kind, last: undefined, isGapReported: false };
        members.push(member);
        clients.push(follow({ url, query: QUERIES[kind] }, earsOf(member)));
        if (index % AT_ONCE === AT_ONCE - 1) await wait(100);
      }
    },
    without: (event) => members.filter((member) => (member.last ?? 0) < event && !isWithoutField(member)).map(({ name }) => name),
    async disperse() {
      for (const client of clients) await client.stop();
    },
  };
}

function numberOf({ data }: Reported): number | undefined {
  const [event] = Object.values((data ?? {}) as Readonly<Record<string, { readonly n?: number } | null>>);
  return event?.n;
}
