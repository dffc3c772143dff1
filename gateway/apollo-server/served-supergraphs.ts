import type { GraphQLSchema } from 'graphql';
import type { Gateway } from '../gateway.ts';
import type { Logger } from '../platform/logger.ts';

/** A supergraph that is served. */
export interface ServedSupergraph {
  readonly sdl: string;
  /** Public schema, with which Apollo Server identifies the supergraph of a request. */
  readonly schema: GraphQLSchema;
  readonly gateway: Gateway;
}

/** The current supergraph, and earlier ones for requests that started with them. */
export interface ServedSupergraphs extends AsyncDisposable {
  readonly current: ServedSupergraph | undefined;
  /** Returns the supergraph with this schema; the current one when that supergraph has been disposed of. */
  of(schema: GraphQLSchema): ServedSupergraph | undefined;
  replace(next: ServedSupergraph): void;
}

/**
 * Time after which a replaced supergraph is disposed of. A request that Apollo Server has not executed by then uses the current one.
 *
 * @unit milliseconds
 */
const RETENTION_MS = 10_000;

export function createServedSupergraphs(logger: Logger): ServedSupergraphs {
  const bySchema = new Map<GraphQLSchema, ServedSupergraph>();
  const timers = new Map<ServedSupergraph, NodeJS.Timeout>();
  let current: ServedSupergraph | undefined;

  /** Disposes of a supergraph, after its running operations. */
  async function putAway(served: ServedSupergraph): Promise<void> {
    clearTimeout(timers.get(served));
    timers.delete(served);
    bySchema.delete(served.schema);
    await served.gateway[Symbol.asyncDispose]();
  }

  function retire(served: ServedSupergraph): void {
    const timer = setTimeout(() => {
      putAway(served).catch((error: unknown) => logger.error({ err: error }, 'A replaced supergraph could not be disposed of.'));
    }, RETENTION_MS);
    timers.set(served, timer.unref());
  }

  return {
    get current() {
      return current;
    },
    of: (schema) => bySchema.get(schema) ?? current,
    replace(next) {
      const previous = current;
      bySchema.set(next.schema, next);
      current = next;
      if (previous !== undefined) retire(previous);
    },
    async [Symbol.asyncDispose]() {
      current = undefined;
      await Promise.all([...bySchema.values()].map((served) => putAway(served)));
    },
  };
}
