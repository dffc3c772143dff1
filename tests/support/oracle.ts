import { isDeepStrictEqual } from 'node:util';
import type { Stack } from './shared-stack.ts';
import { type Asker, type StockAnswer, startStockGateway } from './stock-gateway.ts';

/** Callers on whose behalf operations are compared. */
export type Who = 'anonymous' | 'user1' | 'user2' | 'admin';
export const WHO: readonly Who[] = ['anonymous', 'user1', 'user2', 'admin'];

const ASKERS: Readonly<Record<Who, Asker>> = {
  anonymous: { kind: 'anonymous', sub: '', roles: [] },
  user1: { kind: 'user', sub: '1', roles: [] },
  user2: { kind: 'user', sub: '2', roles: [] },
  admin: { kind: 'user', sub: '200', roles: ['ADMIN'] },
};

export interface Operation {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

export interface Oracle extends AsyncDisposable {
  /** What differs between our answer over HTTP and the stock gateway's, in words; empty where nothing does. */
  differences(operation: Operation, who: Who): Promise<readonly unknown[]>;
}

/** Compares the running gateway with the stock one in front of the same subgraphs. */
export async function createOracle({ graphql, tokens, subgraphUrls, identitySecret }: Stack): Promise<Oracle> {
  const stock = await startStockGateway(subgraphUrls, identitySecret);
  return {
    async differences({ query, variables = {} }, who) {
      const [ours, theirs] = await Promise.all([
        graphql<unknown>(query, { variables, token: who === 'anonymous' ? undefined : tokens[who] }),
        stock.run({ query, variables }, ASKERS[who]),
      ]);
      const found: unknown[] = [];
      const data = ours.data ?? null;
      // As text too: the order of keys is part of the answer.
      if (!isDeepStrictEqual(data, plain(theirs.data)) || JSON.stringify(data) !== JSON.stringify(theirs.data)) {
        found.push({ who, ours: data, theirs: theirs.data, errors: { ours: ours.errors, theirs: theirs.errors } });
      }
      const [ourPaths, theirPaths] = [pathsOf(ours.errors ?? []), pathsOf(theirs.errors)];
      if (!isDeepStrictEqual(ourPaths, theirPaths)) {
        found.push({ who, ourErrors: ours.errors, theirErrors: theirs.errors });
      }
      return found;
    },
    [Symbol.asyncDispose]: () => stock[Symbol.asyncDispose](),
  };
}

/** Without the prototypes by which graphql-js tells its own maps. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

function pathsOf(errors: StockAnswer['errors'] | readonly { readonly path?: readonly (string | number)[] }[]): readonly string[] {
  return [...new Set(errors.map(({ path = [] }) => path.join('.')))].sort();
}
