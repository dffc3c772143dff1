import { isDeepStrictEqual } from 'node:util';
import { type DocumentNode, getNamedType, GraphQLID, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { isRecord } from '../../../gateway/subgraph-client/read-response.ts';

/** Differences of a response or of requests. */
export interface Differences {
  readonly unexplained: readonly string[];
  /** Differences that follow from a known property of one of the routers. */
  readonly explained: readonly string[];
}

/** Members of `extensions` that only the other router has. */
const ROUTER_EXTENSIONS: Readonly<Record<string, string>> = {
  apolloConnectorsDebugging: 'the debugging extension of that router; the gateway has traces and `gatefold connect test`',
  apolloQueryPlan: 'the query plan of that router; the planners have their own plans',
};

const NUMERIC_IDS = 'numbers for fields of the type ID, which the gateway sends as strings (GraphQL specification, section 3.5.5)';

export const NULLED_DATA = 'null for the whole data; the gateway makes only the nullable field null (GraphQL specification, section 6.4.4)';

/**
 * Compares a response in data and in the paths of errors. Messages and codes of errors are not compared, because each router has its own.
 *
 * @param expected a response, or the list of payloads of one with `@defer`
 * @param idKeys names of the members that contain values of the type ID
 */
export function compareResponses(expected: unknown, payloads: readonly unknown[], idKeys: ReadonlySet<string>): Differences {
  const written = Array.isArray(expected) ? expected : [expected];
  const typed = written.map((payload) => withTextualIds(payload, idKeys));
  const wanted = summaryOf(typed);
  const found = summaryOf(payloads);
  const isNulled = isNulledData(wanted.data, found.data);
  const unexplained = (['data', 'errors', 'deferred'] as const)
    .filter((part) => !isDeepStrictEqual(wanted[part], found[part]) && !(part === 'data' && isNulled))
    .map((part) => `${part}: expected ${JSON.stringify(wanted[part])}, found ${JSON.stringify(found[part])}`);
  const explained = [...(isDeepStrictEqual(written, typed) ? [] : [NUMERIC_IDS]), ...(isNulled ? [NULLED_DATA] : [])];
  for (const name of wanted.extensions) {
    const reason = ROUTER_EXTENSIONS[name];
    if (reason === undefined) unexplained.push(`extensions: expected ${name}`);
    else explained.push(`extensions.${name}: ${reason}`);
  }
  return { unexplained, explained };
}

/** Whether data is expected to be null, and has only null fields. */
export function isNulledData(expected: unknown, found: unknown): boolean {
  return expected === null && isRecord(found) && Object.values(found).every((value) => value === null);
}

/** Returns the names under which a document selects fields of the type ID. */
export function idKeysOf(schema: GraphQLSchema, document: DocumentNode): ReadonlySet<string> {
  const keys = new Set<string>();
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field({ name, alias }) {
        if (getNamedType(types.getType()) === GraphQLID) keys.add(alias?.value ?? name.value);
      },
    }),
  );
  return keys;
}

function withTextualIds(value: unknown, keys: ReadonlySet<string>, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withTextualIds(one, keys, key));
  if (typeof value === 'number' && keys.has(key)) return String(value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTextualIds(one, keys, name)]));
}

interface ResponseSummary {
  /** Undefined without data, which is different from null. */
  readonly data: unknown;
  /** Paths of all errors, sorted. */
  readonly errors: readonly string[];
  /** Data of the later payloads, by path, sorted. */
  readonly deferred: readonly string[];
  readonly extensions: readonly string[];
}

function summaryOf(payloads: readonly unknown[]): ResponseSummary {
  const all = payloads.map((payload) => (isRecord(payload) ? payload : {}));
  const patches = all.flatMap(({ incremental }) => (Array.isArray(incremental) ? incremental.filter(isRecord) : []));
  return {
    data: all[0]?.['data'],
    errors: [...all, ...patches].flatMap(({ errors }) => (Array.isArray(errors) ? errors.map(pathOf) : [])).toSorted(),
    deferred: patches.map(({ path, data }) => `${JSON.stringify(path)} ${JSON.stringify(sorted(data))}`).toSorted(),
    extensions: all.flatMap(({ extensions }) => (isRecord(extensions) ? Object.keys(extensions) : [])),
  };
}

function pathOf(error: unknown): string {
  return JSON.stringify(isRecord(error) ? (error['path'] ?? 'no path') : error);
}

/** Sorts the members of all objects. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, one]) => [name, sorted(one)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
