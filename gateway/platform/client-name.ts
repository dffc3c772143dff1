import type { RequestHeaders } from './request-headers.ts';

/** Program that sends a request, as it names itself. The name is not verified, so it grants no permission. */
export interface ClientName {
  readonly name: string;
  readonly version?: string | undefined;
}

/** Headers that name the client and its version. The first name that is present and valid wins. */
const HEADERS = [
  ['graphql-client-name', 'graphql-client-version'],
  ['apollographql-client-name', 'apollographql-client-version'],
] as const;

/** Names of all headers that name the client. */
export const CLIENT_HEADERS: readonly string[] = HEADERS.flat();

/** Matches names such as `web`, `@apollo/client` and `Shop for iOS`. */
const NAME = /^[\w@][\w@./:+ -]{0,99}$/;

/** Matches versions such as `1.4.2-beta+17`. */
const VERSION = /^\w[\w.+-]{0,49}$/;

/** Reads the name of the client from the headers of a request. Undefined when no header names it, or the name is invalid. */
export function readClientName(headers: RequestHeaders): ClientName | undefined {
  for (const [nameHeader, versionHeader] of HEADERS) {
    const client = toClientName(headers[nameHeader], headers[versionHeader]);
    if (client !== undefined) return client;
  }
  return undefined;
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
