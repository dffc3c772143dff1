import { setTimeout as wait } from 'node:timers/promises';
import { type Ears, followByEvents, followByWebSocket, type ResumingClient, type Reported } from './resuming-client.ts';

/** What a client asks for. */
type Kind = 'counted' | 'counted-extra' | 'listed' | 'ticked';

const QUERIES: Readonly<Record<Kind, string>> = {
  counted: 'subscription { counted { n note } }',
  'counted-extra': 'subscription { it: counted { n extra } }',
  listed: 'subscription { listed { n note } }',
  ticked: 'subscription { ticked { n note } }',
};

/** Of twenty clients. */
const SHARES: readonly Kind[] = [
  ...Array<Kind>(9).fill('counted'),
  ...Array<Kind>(7).fill('listed'),
  'counted-extra',
  ...Array<Kind>(3).fill('ticked'),
];

/** Dials between two rests. */
const AT_ONCE = 50;

interface Member {
  readonly name: string;
  readonly kind: Kind;
  last: number | undefined;
  /** Since its last event. */
  isGapReported: boolean;
}

/** What is allowed at the moment. */
export interface CrowdContext {
  /** Whether connections may be closed. */
  mayClose: boolean;
  /** Whether the supergraph has the field that a few ask for. */
  hasExtra: boolean;
  /** Resolves when it has. */
  extraIsBack: Promise<void>;
}

export interface CrowdFigures {
  /** Events that came to all together. */
  readonly heard: number;
  /** How often one was told `EVENTS_MAY_BE_MISSED`. */
  readonly gapsReported: number;
  /** How often one was told `SUBSCRIPTION_SCHEMA_RELOAD`. */
  readonly reloadsReported: number;
  readonly connectionsClosed: number;
}

/** Clients that stay subscribed, and complain of whatever should not have come. */
export interface NumberedCrowd {
  readonly figures: CrowdFigures;
  /** Of those who ask for the field that comes and goes. */
  readonly withExtra: number;
  gather(url: string, count: number): Promise<void>;
  /** Names of those who should have an event by now and have not. */
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
    if (!codes.includes('EVENTS_MAY_BE_MISSED')) return failure(`${member.name} was told ${JSON.stringify(reported)}`);
    if (member.kind !== 'ticked') failure(`${member.name} was told that events may be missed, though they have ids`);
    member.isGapReported = true;
    figures.gapsReported += 1;
    return undefined;
  }

  function hear(member: Member, reported: Reported): void {
    const n = numberOf(reported);
    if (n === undefined) return hearGap(member, reported);
    figures.heard += 1;
    if (reported.errors !== undefined) failure(`${member.name} got event ${n} with ${JSON.stringify(reported.errors)}`);
    const { last = n - 1, isGapReported } = member;
    const isNext = n === last + 1 || (isGapReported && n > last);
    if (!isNext) failure(`${member.name} got event ${n} after ${last}${isGapReported ? ' and word of a gap' : ''}`);
    member.last = n;
    member.isGapReported = false;
    return undefined;
  }

  async function hearEnd(member: Member, code: string): Promise<void> {
    if (code === 'SUBSCRIPTION_SCHEMA_RELOAD') {
      figures.reloadsReported += 1;
      if (!isWithoutField(member)) failure(`${member.name} was ended by a supergraph that knows its operation`);
      return now.extraIsBack;
    }
    // The gateway went away before the doors could say so, or the field is not there yet.
    if (isWithoutField(member)) return now.extraIsBack;
    if (!now.mayClose || code !== 'OVERLOADED') failure(`${member.name} was ended: ${code}`);
    return wait(100);
  }

  const earsOf = (member: Member): Ears => ({
    next: (reported) => hear(member, reported),
    closed(why) {
      figures.connectionsClosed += 1;
      if (!now.mayClose) failure(`${member.name} was closed while nothing was restarted: ${why}`);
    },
    ended: (code) => hearEnd(member, code),
  });

  return {
    figures,
    get withExtra() {
      return members.filter(({ kind }) => kind === 'counted-extra').length;
    },
    async gather(url, count) {
      for (let index = 0; index < count; index += 1) {
        const kind = SHARES[Math.floor(index / 2) % SHARES.length] ?? 'counted';
        const [follow, transport] = index % 2 === 0 ? ([followByWebSocket, 'WebSocket'] as const) : ([followByEvents, 'SSE'] as const);
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
