import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import type { GatewayRuns } from './gateway-runs.ts';
import { type CrowdContext, createNumberedCrowd, type CrowdFigures } from './numbered-crowd.ts';
import { type NumberedSubgraphs, startNumberedSubgraphs, type World } from './numbered-subgraphs.ts';
import { freePort } from '../../support/http/free-port.ts';

export interface HoldOptions {
  readonly gateway: GatewayRuns;
  readonly clients: number;
  readonly reloads: number;
  /** Number of reloads, evenly distributed, after which the gateway is restarted. */
  readonly restarts: number;
  /** Number of reloads after which the gateway is killed. */
  readonly kills: number;
  /** Interval between two events. @unit milliseconds */
  readonly intervalMs: number;
  readonly say: (line: string) => void;
}

export interface HoldProof extends CrowdFigures {
  readonly events: number;
  /** Violations of the guarantees. */
  readonly failures: readonly string[];
}

/** Timeout for the delivery of the last event to all clients. @unit milliseconds */
const PATIENCE_MS = 90_000;
const MAX_ISSUES = 30;

/**
 * Holds clients subscribed while supergraphs are replaced and the gateway is restarted, and checks every event that each client receives.
 */
export async function holdStreams(options: HoldOptions): Promise<HoldProof> {
  const { gateway, reloads, intervalMs, say } = options;
  await using subgraphs = await startNumberedSubgraphs();
  await using file = await createSupergraphFile(subgraphs);
  const failures: string[] = [];
  const failure = (text: string): void => {
    if (failures.length === 0) say(`The first violation: ${text}`);
    if (failures.length < MAX_ISSUES) failures.push(text);
  };
  const now: CrowdContext = { mayClose: false, hasExtra: true, extraIsBack: Promise.resolve() };
  const crowd = createNumberedCrowd(now, failure);
  let bringExtraBack: () => void = () => undefined;

  async function untilAllHaveTheLast(what: string): Promise<void> {
    const target = subgraphs.last;
    if (await isHeld(() => crowd.without(target).length === 0)) return;
    const late = crowd.without(target);
    failure(`${late.length} clients did not receive event ${target} after ${what}, such as ${late[0] ?? ''}`);
  }

  async function reload(turn: number, internalUrl: string): Promise<void> {
    const loads = async (): Promise<number> =>
      ((await (await fetch(`${internalUrl}/health/supergraph`)).json()) as { readonly loads: number }).loads;
    const [before, reported] = [await loads(), crowd.figures.reloadsReported];
    now.hasExtra = turn % 5 !== 3;
    if (!now.hasExtra) {
      now.extraIsBack = new Promise((resolve) => {
        bringExtraBack = resolve;
      });
    }
    await file.put({ version: turn, hasExtra: now.hasExtra, hasNotesInside: turn % 4 === 2 });
    if (!(await isHeld(async () => (await loads()) > before))) return failure(`The gateway did not load supergraph ${turn}`);
    if (now.hasExtra) return bringExtraBack();
    if (!(await isHeld(() => crowd.figures.reloadsReported === reported + crowd.withExtra)))
      return failure(`Not all clients received the error of reload ${turn}`);
    return undefined;
  }

  const config = await configurationOf(file.path, subgraphs);
  let urls = await gateway.start(config);
  await using _publishing = publishSteadily(subgraphs, intervalMs);
  try {
    await crowd.gather(urls.url, options.clients);
    await untilAllHaveTheLast('the start');
    say(`${options.clients} clients are subscribed.`);
    const stops = planStops(options);
    for (let turn = 1; turn <= reloads; turn += 1) {
      await reload(turn, urls.internalUrl);
      await untilAllHaveTheLast(`reload ${turn}`);
      const stop = stops.get(turn);
      if (stop === undefined) continue;
      now.mayClose = true;
      await gateway[stop]();
      urls = await gateway.start(config);
      await wait(intervalMs);
      await untilAllHaveTheLast(`the ${stop} after reload ${turn}`);
      now.mayClose = false;
      say(`Reload ${turn}, then ${stop}: all clients have event ${subgraphs.last}, ${failures.length} violations.`);
    }
    await untilAllHaveTheLast('the end');
  } finally {
    now.mayClose = true;
    await crowd.disperse();
    await gateway.stop();
  }
  return { ...crowd.figures, events: subgraphs.last, failures };
}

/** Plans after which reloads the gateway is stopped or killed. */
function planStops({ reloads, restarts, kills }: HoldOptions): ReadonlyMap<number, 'stop' | 'kill'> {
  const stops = Array.from({ length: restarts + kills }, (_, nth) => {
    const isKill = Math.floor(((nth + 1) * kills) / (restarts + kills)) > Math.floor((nth * kills) / (restarts + kills));
    return [Math.round(((nth + 1) * reloads) / (restarts + kills + 1)), isKill ? 'kill' : 'stop'] as const;
  });
  return new Map(stops);
}

interface SupergraphFile extends AsyncDisposable {
  readonly path: string;
  put(world: World): Promise<void>;
}

async function createSupergraphFile(subgraphs: NumberedSubgraphs): Promise<SupergraphFile> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-streams-'));
  const path = join(directory, 'supergraph.graphql');
  const put = async (world: World): Promise<void> => {
    await writeFile(`${path}.draft`, subgraphs.supergraphOf(world));
    await rename(`${path}.draft`, path);
  };
  await put({ version: 0, hasExtra: true, hasNotesInside: false });
  return { path, put, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}

/** Publishes one event after another, and sometimes several at once. */
function publishSteadily(subgraphs: NumberedSubgraphs, intervalMs: number): AsyncDisposable {
  const stopping = new AbortController();
  const publish = async (): Promise<void> => {
    for (let nth = 1; !stopping.signal.aborted; nth += 1) {
      for (let burst = nth % 10 === 0 ? 5 : 1; burst > 0; burst -= 1) subgraphs.publish();
      await wait(intervalMs);
    }
  };
  const running = publish();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

async function configurationOf(file: string, subgraphs: NumberedSubgraphs): Promise<GatewayConfigInput> {
  return {
    profile: 'dev',
    server: { port: await freePort(), internalPort: await freePort(), drainTimeoutMs: 5_000 },
    supergraph: { file },
    logging: { level: 'silent' },
    budget: { mode: 'off' },
    subgraphs: { override: subgraphs.settings },
    subscriptions: {
      maxConnections: 20_000,
      maxConnectionsPerAddress: 20_000,
      drainWindowMs: 500,
      reloadWindowMs: 200,
      websocket: { maxUnacknowledged: 20_000, initTimeoutMs: 30_000 },
    },
  };
}

async function isHeld(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  const endsAt = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > endsAt) return false;
    await wait(10);
  }
  return true;
}
