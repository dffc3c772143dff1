import type { RequestHeaders } from './request-headers.ts';

/** Program that sends a request, as it names itself. The name is not verified, so it grants no permission. */
export interface ClientName {
  readonly name: string;
  readonly version?: string | undefined;
}

/** Names of all headers that name the client or its version. */
export const CLIENT_HEADERS: readonly string[] = [
  'graphql-client-name',
  'graphql-client-version',
  'apollographql-client-name',
  'apollographql-client-version',
];

/** Matches names such as `web`, `@apollo/client` and `Shop for iOS`. */
const NAME = /^[\w@][\w@./:+ -]{0,99}$/;

/** Matches versions such as `1.4.2-beta+17`. */
const VERSION = /^\w[\w.+-]{0,49}$/;

/**
 * Reads the name of the client from the headers of a request. The first name that is present and valid wins. Undefined when no header names
 * the client, or the name is invalid. Each header has a separate statement, because V8 caches reads whose name is constant.
 */
export function readClientName(headers: RequestHeaders): ClientName | undefined {
  const name = headers['graphql-client-name'];
  const client = name === undefined ? undefined : toClientName(name, headers['graphql-client-version']);
  if (client !== undefined) return client;
  const apolloName = headers['apollographql-client-name'];
  return apolloName === undefined ? undefined : toClientName(apolloName, headers['apollographql-client-version']);
}

/** Reads `extensions.clientLibrary` of a GraphQL request: the library with which the client was written. */
export function readClientLibrary(extensions: Readonly<Record<string, unknown>>): ClientName | undefined {
  const library = extensions['clientLibrary'];
  if (typeof library !== 'object' || library === null) return undefined;
  const { name, version } = library as Readonly<Record<string, unknown>>;
  return toClientName(name, version);
}

function toClientName(name: unknown, version: unknown): ClientName | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) return undefined;
  return typeof version === 'string' && VERSION.test(version) ? { name, version } : { name };
}
