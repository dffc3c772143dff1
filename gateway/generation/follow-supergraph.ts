import type { Clock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { StoredSupergraph, SupergraphSource } from '../supergraph/sources/supergraph-source.ts';
import type { Generation } from './generation.ts';
import type { Generations } from './generations.ts';

/** Status of the supergraphs that a source provided. */
export interface SupergraphReport {
  /** Number of supergraphs that were put into service. */
  readonly loads: number;
  /** Number of rejected supergraphs: invalid ones, and ones that a registered component does not accept. */
  readonly rejections: number;
  /** Number of failed polls of the source. */
  readonly failedLooks: number;
  /** Whether the served supergraph is the latest known one of the source. */
  readonly isUpToDate: boolean;
  /** The last rejection or failed poll. It remains after the problem is resolved. */
  readonly lastProblem?: { readonly at: string; readonly message: string };
}

/** Puts the supergraphs of a source into service as they change. */
export interface SupergraphFollower extends AsyncDisposable {
  /**
   * Starts following the source, at the first call. Resolves when the first supergraph of the source is served. For a source on the
   * network, it also resolves when the first poll fails. The stored supergraph is then served, or none, until a poll succeeds.
   *
   * @throws the error that rejected the first supergraph of a local source. The next call tries again.
   * @throws GatewayError `NO_SUPERGRAPH` when the follower is disposed of in the meantime
   */
  first(): Promise<void>;
  /**
   * Starts following the source. Resolves at once for a source on the network, because its first response can take long or fail.
   *
   * @throws the same errors as `first`
   */
  start(): Promise<void>;
  /**
   * Builds the current supergraph again, with other settings, and puts it into service. Without a supergraph, it does nothing.
   *
   * @throws any error of the build; the current generation stays in service
   */
  rebuild(): Promise<void>;
  report(): SupergraphReport;
}

export interface FollowerOptions {
  readonly openSource: () => SupergraphSource;
  readonly generations: Generations;
  /** @throws Error when the supergraph cannot be served */
  readonly build: (sdl: string) => Promise<Generation>;
  /** Returns the store for the last supergraph of a source on the network. */
  readonly storedFor?: ((sourceName: string) => StoredSupergraph) | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Time after which the stored supergraph is served when the first poll has not ended. @unit milliseconds @defaultValue 2000 */
  readonly retentionMs?: number;
}

/** A registry that hangs must not delay the start longer than a registry that is unavailable. */
const RETENTION_MS = 2_000;

interface Following {
  readonly source: SupergraphSource;
  /** Settled when it is known whether there is a first supergraph. */
  readonly first: Promise<void>;
  readonly giveUp: (error: Error) => void;
}

export function followSupergraph(options: FollowerOptions): SupergraphFollower {
  const { generations, logger, clock } = options;
  const counts = { loads: 0, rejections: 0, failedLooks: 0 };
  let lastProblem: SupergraphReport['lastProblem'];
  /** Message of the previous failed poll. Repeated messages are logged once. */
  let looksFailBy: string | undefined;
  /** The supergraph that the source provides, the one that was tried last, and the one that is served. */
  let offered: string | undefined;
  let tried: string | undefined;
  let served: string | undefined;
  let tasks: Promise<void> = Promise.resolve();
  let following: Following | undefined;
  let isClosed = false;

  function note(error: Error): void {
    lastProblem = { at: new Date(clock.now()).toISOString(), message: error.message };
  }

  /** Whether `first` throws the error. The caller reports it, so it is not logged as well. */
  function isThrown({ isLocal }: SupergraphSource): boolean {
    return isLocal && served === undefined;
  }

  function follow(): Following {
    const source = options.openSource();
    offered = undefined;
    tried = undefined;
    const storedSupergraph = source.isLocal ? undefined : options.storedFor?.(source.name);
    const { promise: first, resolve, reject } = deferred();
    /** Handles an error. It has no effect after the first supergraph was served. */
    const settle = async (error: Error): Promise<void> => {
      if (source.isLocal) return reject(error);
      await serveStored();
      resolve();
    };
    let hasTriedStored = storedSupergraph === undefined;
    const serveStored = async (): Promise<void> => {
      if (hasTriedStored || served !== undefined) return;
      hasTriedStored = true;
      await loadStored(storedSupergraph);
    };
    const enqueue = (task: () => Promise<void>): void => {
      tasks = tasks.then(() => (isClosed ? undefined : task()));
    };
    const impatience = setTimeout(() => enqueue(serveStored), options.retentionMs ?? RETENTION_MS).unref();
    first.finally(() => clearTimeout(impatience)).catch(() => undefined);
    source.start({
      onSupergraph(sdl, { isRetry = false, onResult } = {}) {
        if (looksFailBy !== undefined) logger.info({ source: source.name }, 'The supergraph source is available again.');
        looksFailBy = undefined;
        offered = sdl;
        enqueue(async () => {
          if (isRetry) tried = undefined;
          const error = await tryOffered(storedSupergraph, source);
          onResult?.(error);
          if (error === undefined) resolve();
          else await settle(error);
        });
      },
      onProblem(problem) {
        counts.failedLooks += 1;
        note(problem);
        if (looksFailBy !== problem.message && !isThrown(source)) {
          const stays = served === undefined ? 'No supergraph is loaded.' : 'The current supergraph stays in service.';
          logger.error({ ...factsOf(problem), source: source.name }, `The supergraph source could not be polled. ${stays}`);
        }
        looksFailBy = problem.message;
        enqueue(() => settle(problem));
      },
    });
    return { source, first, giveUp: reject };
  }

  /** Loads the supergraph that is offered when the task runs. The last tried supergraph is skipped until the source offers another one. */
  async function tryOffered(storedSupergraph: StoredSupergraph | undefined, source: SupergraphSource): Promise<Error | undefined> {
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
      logger.info({ supergraph: id, source: source.name, bytes: Buffer.byteLength(served ?? '') }, 'A supergraph was put into service.');
    } catch (error) {
      if (isClosed) return undefined;
      const rejection = error instanceof Error ? error : new Error(String(error));
      counts.rejections += 1;
      note(rejection);
      if (!isThrown(source)) {
        const stays = served === undefined ? 'No supergraph is loaded.' : 'The current supergraph stays in service.';
        logger.error(
          { ...factsOf(rejection), source: source.name },
          `A supergraph was rejected. ${stays} The gateway tries again when the supergraph has changed.`,
        );
      }
      return rejection;
    }
    await store(storedSupergraph);
    return undefined;
  }

  async function store(storedSupergraph: StoredSupergraph | undefined): Promise<void> {
    try {
      await storedSupergraph?.write(served ?? '');
    } catch (error) {
      logger.error({ err: error }, 'The supergraph could not be stored for the next start.');
    }
  }

  async function loadStored(storedSupergraph: StoredSupergraph | undefined): Promise<void> {
    try {
      const sdl = await storedSupergraph?.read();
      if (sdl === undefined) return;
      const { id } = await generations.load(() => options.build(sdl));
      served = sdl;
      logger.warn({ supergraph: id }, 'The stored supergraph is served until the source provides one.');
    } catch (error) {
      logger.error({ err: error }, 'The stored supergraph cannot be served.');
    }
  }

  async function first(): Promise<void> {
    if (isClosed) return;
    following ??= follow();
    const mine = following;
    try {
      await mine.first;
    } catch (error) {
      if (following === mine) following = undefined; // The cause may be fixed before the next call.
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
    async rebuild() {
      const rebuilding = tasks.then(async () => {
        const sdl = served;
        if (sdl !== undefined && !isClosed) await generations.load(() => options.build(sdl));
      });
      tasks = rebuilding.catch(() => undefined);
      await rebuilding;
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

/** Errors whose message is written for operators. Their stack would only hide it. */
const WRITTEN_FOR_OPERATORS: ReadonlySet<string> = new Set(['SupergraphInvalid', 'MappingInvalid', 'Unreachable']);

/** Returns the log fields of an error: its message, or the error with its stack if it is unexpected. */
function factsOf(error: Error): { readonly reason: string } | { readonly err: Error } {
  return WRITTEN_FOR_OPERATORS.has(error.name) ? { reason: error.message } : { err: error };
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void; readonly reject: (error: Error) => void } {
  let resolve: () => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  promise.catch(() => undefined); // Callers receive the rejection through their own await. An unobserved rejection must not end the process.
  return { promise, resolve, reject };
}
