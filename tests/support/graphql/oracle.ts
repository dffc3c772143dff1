import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, print } from 'graphql';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import { originalKey, plainDocument } from './plain-document.ts';
import { projectResponse } from './response-projection.ts';
import type { Stack } from '../stack/shared-stack.ts';
import { type Caller, type StockResponse, startStockGateway } from '../stack/stock-gateway.ts';

/** Callers for whom operations are compared. */
export type Who = 'anonymous' | 'user1' | 'user2' | 'admin';
export const WHO: readonly Who[] = ['anonymous', 'user1', 'user2', 'admin'];

const CALLERS: Readonly<Record<Who, Caller>> = {
  anonymous: { kind: 'anonymous', sub: '', roles: [] },
  user1: { kind: 'user', sub: '1', roles: [] },
  user2: { kind: 'user', sub: '2', roles: [] },
  admin: { kind: 'user', sub: '200', roles: ['ADMIN'] },
};

export interface Operation {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/**
 * Result of a comparison of two responses. Three differences are accepted:
 *
 * - The stock gateway loses three kinds of data. It loses the selections of a fragment within a fragment on an interface or a union,
 *   because it reads a `__typename` that it did not request. It loses objects whose conditions exclude every field, where the specification
 *   has `{}`. It loses fields that another field requires under a condition, and fields that are named like the response keys of others. In
 *   all these cases the expected result is its response to the `plainDocument` of the operation, reduced by graphql-js to the selection of
 *   the original.
 * - The stock gateway counts list items to locate an error of an entity. It counts only the items that it sent to the subgraph, so in a
 *   list of several types the error has a wrong index. In this case everything except the index must be equal.
 * - Several non-null fields fail below one parent. Which error is reported is a race within the subgraph. The specification (6.4.4)
 *   requires only one.
 */
export type Classification =
  | 'equal'
  | 'equal to the plain document'
  | 'equal but for the items at which it puts errors'
  | 'equal but for which failure nulled a parent'
  | Difference;

export interface Difference {
  readonly who: Who;
  readonly ours: Comparable;
  readonly theirs: Comparable;
  /** Expected result of the gateway. */
  readonly expected: Comparable;
  /** Messages of the gateway's errors, for the reader. */
  readonly reported: readonly string[];
}

interface Comparable {
  readonly data: unknown;
  /** Unique paths of the errors. */
  readonly errorPaths: readonly string[];
}

interface Reported {
  readonly response: Comparable;
  readonly reported: readonly string[];
}

export interface Oracle extends AsyncDisposable {
  compare(operation: Operation, who: Who): Promise<Classification>;
  /**
   * Returns the response of the gateway as text, and the same response as graphql-js serializes it, with the key order of the
   * specification.
   */
  texts(operation: Operation, who: Who): Promise<{ readonly ours: string; readonly expected: string }>;
}

/** Compares the running gateway with the stock gateway in front of the same subgraphs. */
export async function createOracle({ graphql, tokens, unlimitedUrl, subgraphUrls, identitySecret }: Stack): Promise<Oracle> {
  const { schema } = loadSupergraph(await readFile(join(packageRoot, 'schema/supergraph.graphql'), 'utf8'));
  const stock = await startStockGateway(subgraphUrls, identitySecret);

  async function requestGateway({ query, variables }: Operation, who: Who): Promise<Reported> {
    const { data = null, errors = [] } = await graphql<unknown>(query, {
      variables,
      origin: unlimitedUrl,
      token: who === 'anonymous' ? undefined : tokens[who],
    });
    return {
      response: { data, errorPaths: pathsOf(errors) },
      reported: errors.map(({ message, extensions }) => `${extensions.code}: ${message}`),
    };
  }

  async function requestStock(operation: Operation, who: Who): Promise<Comparable> {
    const { data, errors } = await stock.run(operation, CALLERS[who]);
    return { data: withPlainPrototypes(data), errorPaths: pathsOf(errors) };
  }

  async function requestStockPlainly({ query, variables = {} }: Operation, who: Who): Promise<Comparable> {
    const document = parse(query);
    const response = await stock.run({ query: print(plainDocument(schema, document, variables)), variables }, CALLERS[who]);
    const data = await projectResponse(schema, document, response.data, variables);
    return { data: withPlainPrototypes(data), errorPaths: pathsOf(response.errors.map(({ path }) => ({ path: path.map(originalKey) }))) };
  }

  async function compareOnce(operation: Operation, who: Who): Promise<Classification> {
    const [{ response: ours, reported }, theirs] = await Promise.all([requestGateway(operation, who), requestStock(operation, who)]);
    if (isDeepStrictEqual(ours, theirs)) return 'equal';
    const expected = await requestStockPlainly(operation, who);
    if (isDeepStrictEqual(ours, expected)) return 'equal to the plain document';
    if (isDeepStrictEqual(withoutItems(ours), withoutItems(expected))) return 'equal but for the items at which it puts errors';
    if (isOneOfSeveralFailures(ours, expected)) return 'equal but for which failure nulled a parent';
    return { who, ours, theirs, expected, reported };
  }

  return {
    async compare(operation, who) {
      let classification = await compareOnce(operation, who);
      // Other tests write concurrently, perhaps between the two requests. Only a persistent difference counts.
      for (let again = 0; again < 2 && typeof classification === 'object'; again += 1) classification = await compareOnce(operation, who);
      return classification;
    },
    async texts(operation, who) {
      const [ours, expected] = await Promise.all([requestGateway(operation, who), requestStockPlainly(operation, who)]);
      return { ours: JSON.stringify(ours.response.data), expected: JSON.stringify(expected.data) };
    },
    [Symbol.asyncDispose]: () => stock[Symbol.asyncDispose](),
  };
}

/** Returns the number of errors at each field, for all items together. */
function withoutItems({ data, errorPaths }: Comparable): Comparable {
  return {
    data,
    errorPaths: errorPaths.map((path) => path.replaceAll(/\.\d+(?=\.|$)/g, '.*')).sort((one, other) => one.localeCompare(other)),
  };
}

/**
 * Whether the gateway reports no more errors, and each error of only one of two equal responses is below a null that an error of the other
 * response explains.
 */
function isOneOfSeveralFailures(ours: Comparable, expected: Comparable): boolean {
  if (!isDeepStrictEqual(ours.data, expected.data) || ours.errorPaths.length > expected.errorPaths.length) return false;
  const isExplained = (path: string, { data, errorPaths }: Comparable): boolean => {
    const parent = nullAbove(data, path.split('.'));
    return parent !== undefined && errorPaths.some((other) => parent === '' || other === parent || other.startsWith(`${parent}.`));
  };
  return (
    ours.errorPaths.every((path) => expected.errorPaths.includes(path) || isExplained(path, expected)) &&
    expected.errorPaths.every((path) => ours.errorPaths.includes(path) || isExplained(path, ours))
  );
}

/** Returns the path of the null that an error below it caused, or undefined when no ancestor of the field is null. */
function nullAbove(data: unknown, path: readonly string[]): string | undefined {
  let value = data;
  for (const [index, key] of path.entries()) {
    if (value === null) return path.slice(0, index).join('.');
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return undefined;
}

/** Converts the prototype-less objects of graphql-js, which are not equal to objects that JSON creates. */
function withPlainPrototypes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

function pathsOf(errors: readonly Partial<Pick<StockResponse['errors'][number], 'path'>>[]): readonly string[] {
  return [...new Set(errors.map(({ path = [] }) => path.join('.')))].sort((one, other) => one.localeCompare(other));
}
