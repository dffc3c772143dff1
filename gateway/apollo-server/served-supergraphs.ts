import type { GraphQLSchema } from 'graphql';
import type { Gateway } from '../gateway.ts';
import type { Logger } from '../platform/logger.ts';

/** A supergraph that is served. */
export interface ServedSupergraph {
  readonly sdl: string;
  /** The public schema, by which Apollo Server says which supergraph a request began on. */
  readonly schema: GraphQLSchema;
  readonly gateway: Gateway;
}

/** The supergraph that is served, and older ones for the requests that began on them. */
export interface ServedSupergraphs extends AsyncDisposable {
  readonly current: ServedSupergraph | undefined;
  /** The one with this schema; the current one where that is gone. */
  of(schema: GraphQLSchema): ServedSupergraph | undefined;
  replace(next: ServedSupergraph): void;
}

/** How long a request may take from its beginning in Apollo Server to its execution before it runs on the next one. @unit milliseconds */
const KEPT_MS = 10_000;

export function createServedSupergraphs(logger: Logger): ServedSupergraphs {
  const bySchema = new Map<GraphQLSchema, ServedSupergraph>();
  const timers = new Map<ServedSupergraph, NodeJS.Timeout>();
  let current: ServedSupergraph | undefined;

  /** Waits for the operations that run on it. */
  async function putAway(served: ServedSupergraph): Promise<void> {
    clearTimeout(timers.get(served));
    timers.delete(served);
    bySchema.delete(served.schema);
    await served.gateway[Symbol.asyncDispose]();
  }

  function retire(served: ServedSupergraph): void {
    const timer = setTimeout(() => {
      putAway(served).catch((error: unknown) => logger.error({ err: error }, 'A supergraph could not be put away.'));
    }, KEPT_MS);
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
