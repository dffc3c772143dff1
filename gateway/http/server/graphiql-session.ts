import type { ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import { signDevelopmentToken } from '../../auth/sign-development-token.ts';
import { ANONYMOUS } from '../../platform/principal.ts';
import { isLoopback } from '../../config/reach-of-host.ts';
import type { ResolvedGatewayConfig } from '../../config/resolve-gateway-config.ts';
import type { Generation } from '../../generation/generation.ts';
import type { Generations } from '../../generation/generations.ts';
import { GatewayError } from '../../platform/errors.ts';
import { NO_STORE, type HttpResponse } from '../../platform/http/response/send-response.ts';
import { writeStartingQuery } from './starting-query.ts';
import { hasForwardingHeader, isOfThisMachine } from './transport-security.ts';

/** Data with which the GraphiQL page starts: development tokens and a query. */
export interface GraphiqlSession {
  /** Creates the response for the page. It contains tokens only if the request meets every condition of `mayReceiveTokens`. */
  respond(request: ReceivedRequest): Promise<HttpResponse>;
}

export interface GraphiqlSessionOptions {
  readonly config: Pick<ResolvedGatewayConfig, 'profile' | 'auth' | 'server' | 'graphql'>;
  /** Writes the query with which the page opens. Undefined if no supergraph is served. */
  readonly startingQuery: () => string | undefined;
}

/** Lifetime of the tokens of the page. The page fetches new ones when it is loaded. @unit seconds */
const TOKEN_SECONDS = 43_200;

/** Callers for which the page has a token. They are those of the tokens that `gatefold dev` prints. */
const CALLERS = [
  { name: 'User 1', subject: '1', roles: [] },
  { name: 'User 2, role ADMIN', subject: '2', roles: ['ADMIN'] },
] as const;

/** Creates the session data of the page. Tokens exist only in the dev profile with a development key, on a loopback address. */
export function createGraphiqlSession({ config, startingQuery }: GraphiqlSessionOptions): GraphiqlSession {
  const { profile, auth, server, graphql } = config;
  const key = profile === 'dev' && isLoopback(server.host) ? auth.developmentKey : undefined;
  return {
    async respond(request) {
      const tokens = key !== undefined && mayReceiveTokens(request) ? await signTokens(key) : [];
      const query = graphql.introspection ? startingQuery() : undefined;
      return {
        status: 200,
        headers: { ...NO_STORE, 'content-type': 'application/json; charset=utf-8', 'cross-origin-resource-policy': 'same-origin' },
        body: JSON.stringify({ tokens, ...(query === undefined ? {} : { query }) }),
      };
    },
  };
}

async function signTokens(key: string): Promise<readonly { readonly name: string; readonly token: string }[]> {
  return Promise.all(
    CALLERS.map(async ({ name, subject, roles }) => ({
      name,
      token: await signDevelopmentToken(key, { subject, roles, scopes: [], ttlSeconds: TOKEN_SECONDS }),
    })),
  );
}

/**
 * Whether a request may receive tokens: it comes from this machine without a proxy, it names a loopback host, so that no other site can
 * reach the gateway by DNS rebinding, and it was not sent by a page of another origin.
 */
function mayReceiveTokens({ socket, headers, httpVersion }: Pick<ReceivedRequest, 'socket' | 'headers' | 'httpVersion'>): boolean {
  // Browsers do not use HTTP/1.0, but reverse proxies do. By default, nginx sends it with the address of the gateway as the host, and without
  // any header about the client.
  if (httpVersion === '1.0') return false;
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  const isSameOrigin =
    (site === undefined || site === 'same-origin' || site === 'none') && (origin === undefined || hostOf(origin) === host);
  return isSameOrigin && !hasForwardingHeader(headers) && isOfThisMachine(socket.remoteAddress ?? '') && isLocalHost(host);
}

function isLocalHost(host: string): boolean {
  return URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`).hostname);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Writes a query for the served supergraph that anonymous callers can send, once for each generation. */
export function createStartingQuery(generations: Pick<Generations, 'pin'>): () => string | undefined {
  const written = new WeakMap<Generation, { readonly query: string | undefined }>();
  return () => {
    try {
      using pin = generations.pin();
      const { generation } = pin;
      const known = written.get(generation) ?? { query: writeStartingQuery(generation.schema, (document) => isOpen(generation, document)) };
      written.set(generation, known);
      return known.query;
    } catch (error) {
      if (error instanceof GatewayError) return undefined; // No supergraph is served yet.
      throw error;
    }
  };
}

/** Whether a document is within the limits and anonymous callers receive all of it. */
function isOpen({ prepare, grantOf }: Pick<Generation, 'prepare' | 'grantOf'>, document: string): boolean {
  try {
    prepare(document);
    return grantOf?.(document)(ANONYMOUS) ?? true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}
