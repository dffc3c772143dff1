import { setTimeout as wait } from 'node:timers/promises';
import { type Ears, followByEvents, followByWebSocket, type ResumingClient, type Told } from './resuming-client.ts';

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
  isGapTold: boolean;
}

/** What is allowed at the moment. */
export interface Circumstances {
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
  readonly gapsTold: number;
  /** How often one was told `SUBSCRIPTION_SCHEMA_RELOAD`. */
  readonly reloadsTold: number;
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

export function createNumberedCrowd(now: Circumstances, fault: (text: string) => void): NumberedCrowd {
  const members: Member[] = [];
  const clients: ResumingClient[] = [];
  const figures = { heard: 0, gapsTold: 0, reloadsTold: 0, connectionsClosed: 0 };
  const isWithoutField = ({ kind }: Member): boolean => kind === 'counted-extra' && !now.hasExtra;

  function hearGap(member: Member, told: Told): void {
    const codes = told.errors?.map(({ extensions }) => extensions?.code) ?? [];
    if (!codes.includes('EVENTS_MAY_BE_MISSED')) return fault(`${member.name} was told ${JSON.stringify(told)}`);
    if (member.kind !== 'ticked') fault(`${member.name} was told that events may be missed, though they have ids`);
    member.isGapTold = true;
    figures.gapsTold += 1;
    return undefined;
  }

  function hear(member: Member, told: Told): void {
    const n = numberOf(told);
    if (n === undefined) return hearGap(member, told);
    figures.heard += 1;
    if (told.errors !== undefined) fault(`${member.name} got event ${n} with ${JSON.stringify(told.errors)}`);
    const { last = n - 1, isGapTold } = member;
    const isNext = n === last + 1 || (isGapTold && n > last);
    if (!isNext) fault(`${member.name} got event ${n} after ${last}${isGapTold ? ' and word of a gap' : ''}`);
    member.last = n;
    member.isGapTold = false;
    return undefined;
  }

  async function hearEnd(member: Member, code: string): Promise<void> {
    if (code === 'SUBSCRIPTION_SCHEMA_RELOAD') {
      figures.reloadsTold += 1;
      if (!isWithoutField(member)) fault(`${member.name} was ended by a supergraph that knows its operation`);
      return now.extraIsBack;
    }
    // The gateway went away before the doors could say so, or the field is not there yet.
    if (isWithoutField(member)) return now.extraIsBack;
    if (!now.mayClose || code !== 'OVERLOADED') fault(`${member.name} was ended: ${code}`);
    return wait(100);
  }

  const earsOf = (member: Member): Ears => ({
    next: (told) => hear(member, told),
    closed(why) {
      figures.connectionsClosed += 1;
      if (!now.mayClose) fault(`${member.name} was closed while nothing was restarted: ${why}`);
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
        const [follow, door] = index % 2 === 0 ? ([followByWebSocket, 'WebSocket'] as const) : ([followByEvents, 'SSE'] as const);
        const member: Member = { name: `client ${index} (${kind}, ${door})`, kind, last: undefined, isGapTold: false };
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

function numberOf({ data }: Told): number | undefined {
  const [event] = Object.values((data ?? {}) as Readonly<Record<string, { readonly n?: number } | null>>);
  return event?.n;
}
