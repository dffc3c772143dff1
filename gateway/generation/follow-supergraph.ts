import type { Clock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { KeptSupergraph, SupergraphSource } from '../supergraph/sources/supergraph-source.ts';
import type { Generation } from './generation.ts';
import type { Generations } from './generations.ts';

/** What became of the supergraphs that a source gave. */
export interface SupergraphReport {
  /** Supergraphs that were taken into service. */
  readonly loads: number;
  /** Supergraphs that were not, because they are broken or something that is served with them does not fit. */
  readonly refusals: number;
  /** Looks at the source that failed. */
  readonly failedLooks: number;
  /** Whether what the source has is what is served, as far as can be told. */
  readonly isUpToDate: boolean;
  /** The last refusal or failed look, also when it is over. */
  readonly lastProblem?: { readonly at: string; readonly message: string };
}

/** Takes into service what a source gives, for as long as it gives. */
export interface SupergraphFollower extends AsyncDisposable {
  /**
   * Begins, at the first call. Resolves when the first supergraph of the source is served, or when the first look at a
   * source on the network failed: then the one that was kept is served, or none, until a look succeeds.
   *
   * @throws what the first supergraph of a source on this machine was refused for; the next call tries again
   * @throws GatewayError `NO_SUPERGRAPH` when disposed of meanwhile
   */
  first(): Promise<void>;
  /** Begins likewise. Resolves at once where the source is on the network, because it may answer late, or not today. @throws as `first` */
  start(): Promise<void>;
  report(): SupergraphReport;
}

export interface FollowerOptions {
  readonly openSource: () => SupergraphSource;
  readonly generations: Generations;
  /** @throws Error when the supergraph cannot be served */
  readonly build: (sdl: string) => Promise<Generation>;
  /** Where the last supergraph of a source on the network is kept. */
  readonly keptFor?: ((sourceName: string) => KeptSupergraph) | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Until the supergraph that was kept is served, where the first look has not ended. @unit milliseconds @defaultValue 2000 */
  readonly keptAfterMs?: number;
}

/** A registry that hangs must not hold up a start longer than one that is down. */
const KEPT_AFTER_MS = 2_000;

interface Following {
  readonly source: SupergraphSource;
  /** Settled when it is clear whether there is a first supergraph. */
  readonly first: Promise<void>;
  readonly giveUp: (error: Error) => void;
}

export function followSupergraph(options: FollowerOptions): SupergraphFollower {
  const { generations, logger, clock } = options;
  const counts = { loads: 0, refusals: 0, failedLooks: 0 };
  let lastProblem: SupergraphReport['lastProblem'];
  /** What the failed look before this one said; each is logged once. */
  let looksFailBy: string | undefined;
  /** What the source has, what is or was tried of it, and what is served. */
  let offered: string | undefined;
  let tried: string | undefined;
  let served: string | undefined;
  let tasks: Promise<void> = Promise.resolve();
  let following: Following | undefined;
  let isClosed = false;

  function note(error: Error): void {
    lastProblem = { at: new Date(clock.now()).toISOString(), message: error.message };
  }

  function follow(): Following {
    const source = options.openSource();
    offered = undefined;
    tried = undefined;
    const kept = source.isLocal ? undefined : options.keptFor?.(source.name);
    const { promise: first, resolve, reject } = deferred();
    /** After something went wrong. Of no effect once there was a first supergraph. */
    const settle = async (error: Error): Promise<void> => {
      if (source.isLocal) return reject(error);
      await serveKept();
      resolve();
    };
    let hasTriedKept = kept === undefined;
    const serveKept = async (): Promise<void> => {
      if (hasTriedKept || served !== undefined) return;
      hasTriedKept = true;
      await loadKept(kept);
    };
    const enqueue = (task: () => Promise<void>): void => {
      tasks = tasks.then(() => (isClosed ? undefined : task()));
    };
    const impatience = setTimeout(() => enqueue(serveKept), options.keptAfterMs ?? KEPT_AFTER_MS).unref();
    first.finally(() => clearTimeout(impatience)).catch(() => undefined);
    source.start({
      onSupergraph(sdl) {
        if (looksFailBy !== undefined) logger.info({ source: source.name }, 'The supergraph can be looked at again.');
        looksFailBy = undefined;
        offered = sdl;
        enqueue(async () => {
          const refusal = await tryOffered(kept, source.name);
          if (refusal === undefined) resolve();
          else await settle(refusal);
        });
      },
      onProblem(problem) {
        counts.failedLooks += 1;
        note(problem);
        if (looksFailBy !== problem.message) {
          const stays = served === undefined ? 'There is none to serve.' : 'The one before stays.';
          logger.error({ err: problem, source: source.name }, `The supergraph could not be looked at. ${stays}`);
        }
        looksFailBy = problem.message;
        enqueue(() => settle(problem));
      },
    });
    return { source, first, giveUp: reject };
  }

  /** What is offered by the time there is room for it; nothing that was tried already, until something else was. */
  async function tryOffered(kept: KeptSupergraph | undefined, source: string): Promise<Error | undefined> {
    if (offered === tried) return undefined;
    if (offered === served) {
      tried = offered;
      return undefined;
    }
    try {
      const { id } = await generations.load(() => {
        tried = offered;
        return options.build(offered ?? '');
      });
      served = tried;
      counts.loads += 1;
      logger.info({ supergraph: id, source, bytes: Buffer.byteLength(served ?? '') }, 'A supergraph is served.');
    } catch (error) {
      if (isClosed) return undefined;
      const refusal = error instanceof Error ? error : new Error(String(error));
      counts.refusals += 1;
      note(refusal);
      const stays = served === undefined ? 'There is none to serve.' : 'The one before stays.';
      logger.error({ err: refusal, source }, `A supergraph was refused. ${stays} It is tried again when it has changed.`);
      return refusal;
    }
    await keep(kept);
    return undefined;
  }

  async function keep(kept: KeptSupergraph | undefined): Promise<void> {
    try {
      await kept?.write(served ?? '');
    } catch (error) {
      logger.error({ err: error }, 'The supergraph could not be kept for the next start.');
    }
  }

  async function loadKept(kept: KeptSupergraph | undefined): Promise<void> {
    try {
      const sdl = await kept?.read();
      if (sdl === undefined) return;
      const { id } = await generations.load(() => options.build(sdl));
      served = sdl;
      logger.warn({ supergraph: id }, 'The supergraph that was kept is served until the source has one.');
    } catch (error) {
      logger.error({ err: error }, 'The supergraph that was kept cannot be served.');
    }
  }

  async function first(): Promise<void> {
    if (isClosed) return;
    following ??= follow();
    const mine = following;
    try {
      await mine.first;
    } catch (error) {
      if (following === mine) following = undefined; // what was wrong may be repaired until the next try
      await mine.source[Symbol.asyncDispose]();
      throw error;
    }
  }

  return {
    first,
    async start() {
      if (isClosed) return;
      following ??= follow();
      if (following.source.isLocal) await first();
    },
    report: () => ({
      ...counts,
      isUpToDate: served !== undefined && served === offered && looksFailBy === undefined,
      ...(lastProblem === undefined ? {} : { lastProblem }),
    }),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      following?.giveUp(new GatewayError('NO_SUPERGRAPH', 'No supergraph is loaded.', { headers: { 'retry-after': '5' } }));
      await following?.source[Symbol.asyncDispose]();
      await tasks;
    },
  };
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void; readonly reject: (error: Error) => void } {
  let resolve: () => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  promise.catch(() => undefined); // whoever waits for it sees it; nobody has to
  return { promise, resolve, reject };
}
