import { setTimeout as wait } from 'node:timers/promises';
import type { SubgraphsProcess } from './subgraphs-process.ts';
import { type Ears, followByEvents, followByWebSocket, type ResumingClient, type Reported } from './resuming-client.ts';

export interface OutageOptions {
  /** URL of the gateway. */
  readonly url: string;
  /** Tokens of the followers. Undefined means an anonymous follower. */
  readonly followers: readonly (string | undefined)[];
  readonly writer: string;
  /** Interval between two posts. @unit milliseconds */
  readonly intervalMs: number;
  /** Causes an outage and resolves after its end. */
  readonly outage: () => Promise<void>;
}

export interface OutageReport {
  /** Number of posts that were certainly created. */
  readonly made: number;
  /** Number of posts whose creation is unknown because the response was lost. */
  readonly unknown: number;
  readonly gapsReported: number;
  /** Number of events that have a field error instead of their post. */
  readonly failed: number;
  /** Number of posts that were received again after a reported gap. */
  readonly repeated: number;
  /** Number of closed connections and ended streams by reason. */
  readonly ends: Readonly<Record<string, number>>;
  /** Time from the end of the outage until all followers have received a later post. @unit milliseconds */
  readonly recoveredAfterMs: number;
  /** Violations of the guarantees, above all a post that was lost without a reported gap. */
  readonly failures: readonly string[];
}

interface Follower {
  readonly name: string;
  readonly seen: Set<number>;
  last: number;
  /** Numbers of the posts after which a gap was reported. */
  readonly gapsAfter: Set<number>;
  readonly client: ResumingClient;
}

const PATIENCE_MS = 60_000;
const FOLLOW = 'subscription { postCreated { post { title author { name } } } }';
const WRITE = 'mutation ($title: String!) { createPost(input: { title: $title, body: "x" }) { id } }';

/** Causes an outage while posts are created and followed, and checks that each follower receives each post or a report of the gap. */
export async function surviveOutage({ url, followers, writer, intervalMs, outage }: OutageOptions): Promise<OutageReport> {
  const run = Math.random().toString(36).slice(2, 8);
  const failures: string[] = [];
  const made = new Set<number>();
  const unknown = new Set<number>();
  const ends: Record<string, number> = {};
  let gapsReported = 0;
  let failed = 0;
  let repeated = 0;
  let number = 0;

  function earsOf(follower: Omit<Follower, 'client'>): Ears {
    const count = (why: string): void => {
      ends[why] = (ends[why] ?? 0) + 1;
    };
    return {
      next(reported) {
        const n = numberOf(reported, run);
        if (n === undefined) {
          if (reported.errors === undefined) return; // Another test created this post.
          if (isGap(reported)) gapsReported += 1;
          else failed += 1; // The subgraph of another field is unavailable, but the client still knows that an event has occurred.
          follower.gapsAfter.add(follower.last);
          return;
        }
        const isReported = follower.gapsAfter.has(follower.last);
        if (follower.seen.has(n)) repeated += 1;
        if (n <= follower.last && !isReported) failures.push(`${follower.name} received post ${n} after post ${follower.last}`);
        follower.seen.add(n);
        follower.last = n;
      },
      closed: (why) => count(why.slice(0, 40)),
      async ended(code) {
        count(code);
        await wait(100);
      },
    };
  }

  /** @returns whether the post was certainly created */
  async function write(): Promise<boolean> {
    number += 1;
    const mine = number;
    const body = JSON.stringify({ query: WRITE, variables: { title: `${run}-${mine}` } });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${writer}` };
    const isMade = await fetch(`${url}/graphql`, { method: 'POST', headers, body })
      .then(
        async (response) =>
          ((await response.json()) as { readonly data?: { readonly createPost?: unknown } | null }).data?.createPost != null,
      )
      .catch(() => false);
    (isMade ? made : unknown).add(mine);
    return isMade;
  }

  const all: Follower[] = followers.map((token, index) => {
    const isSocket = index % 2 === 0;
    const known = {
      name: `follower ${index} (${isSocket ? 'WebSocket' : 'SSE'})`,
      seen: new Set<number>(),
      last: 0,
      gapsAfter: new Set<number>(),
    };
    const follow = isSocket ? followByWebSocket : followByEvents;
    return Object.assign(known, { client: follow({ url, query: FOLLOW, token }, earsOf(known)) });
  });

  async function untilAllHaveOneSince(since: number, what: string): Promise<void> {
    const endsAt = performance.now() + PATIENCE_MS;
    for (;;) {
      const late = all.filter(({ last }) => last <= since);
      if (late.length === 0) return;
      if (performance.now() > endsAt)
        return void failures.push(`${late.length} followers receive no post ${what}, such as ${late[0]?.name}`);
      await write();
      await wait(intervalMs);
    }
  }

  const enough = new AbortController();
  const writing = async (): Promise<void> => {
    while (!enough.signal.aborted) {
      await write();
      await wait(intervalMs);
    }
  };
  await untilAllHaveOneSince(0, 'at the start');
  const running = writing();
  await wait(300);
  await outage();
  const overAt = performance.now();
  enough.abort();
  await running;
  await untilAllHaveOneSince(number, 'after the outage');
  const recoveredAfterMs = Math.round(performance.now() - overAt);
  const lastMade = Math.max(...made);
  const endsAt = performance.now() + PATIENCE_MS;
  while (all.some(({ last }) => last < lastMade) && performance.now() < endsAt) await wait(20);
  for (const follower of all) {
    await follower.client.stop();
    failures.push(...silentGapsOf(follower, made));
  }
  return {
    made: made.size,
    unknown: unknown.size,
    gapsReported,
    failed,
    repeated,
    ends,
    recoveredAfterMs,
    failures: failures.slice(0, 20),
  };
}

/** Returns the posts that were created but neither received nor covered by a reported gap. */
function silentGapsOf({ name, seen, gapsAfter, last }: Follower, made: ReadonlySet<number>): readonly string[] {
  const gaps: string[] = [];
  const [first = 0] = [...seen].sort((one, other) => one - other);
  let before = first;
  for (const n of [...made].sort((one, other) => one - other)) {
    if (n <= first) continue;
    if (seen.has(n)) {
      before = n;
      continue;
    }
    // The gap covers the posts between the last post before it and the next one that was received.
    const isReported = [...gapsAfter].some((after) => after >= before && after < n);
    if (!isReported) gaps.push(`${name} missed post ${n} after post ${before} without a reported gap (its last post is ${last})`);
  }
  return gaps.slice(0, 3);
}

function numberOf({ data }: Reported, run: string): number | undefined {
  const title = (data as { readonly postCreated?: { readonly post?: { readonly title?: string } } } | null | undefined)?.postCreated?.post
    ?.title;
  const [of, n] = (title ?? '').split('-');
  return of === run ? Number(n) : undefined;
}

function isGap({ errors }: Reported): boolean {
  return errors?.some(({ extensions }) => extensions?.code === 'EVENTS_MAY_BE_MISSED') === true;
}

/** Kills the subgraphs and starts them again. */
export async function restart(subgraphs: SubgraphsProcess): Promise<void> {
  await subgraphs.kill();
  await subgraphs.start();
}
