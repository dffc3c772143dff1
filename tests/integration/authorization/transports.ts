import { createHash } from 'node:crypto';
import { applyPatches } from '../../support/graphql/apply-patches.ts';
import type { EnginePatch } from '../../differential/engine.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import type { ResponseLike } from '../../fixtures/authorization/oracle.ts';
import type { Caller } from '../../fixtures/authorization/policy.ts';
import { type HttpResponse, type HttpClient, createHttpClient } from '../../support/http/http-client.ts';
import { ACCEPT_MULTIPART, requestMultipart } from '../../support/http/multipart-reader.ts';
import { openRawWebSocket, type RawWebSocket } from '../../support/websocket/raw-websocket.ts';
import { signToken } from '../../support/identity/tokens.ts';
import type { QueryRequest } from './run-matrix.ts';

/** A transport of a running gateway. Each new transport gets a row in `TRANSPORTS`. */
export interface Transport {
  readonly name: string;
  /** Operation types that the transport accepts. */
  readonly kinds: readonly ('query' | 'mutation')[];
  /**
   * Opens the transport.
   *
   * @param url address of a running gateway
   */
  open(url: string): QueryRequest & Partial<AsyncDisposable>;
}

/** Creates a token of the caller that the development profile trusts. Undefined for an anonymous caller. */
export function tokenOf({ principal: { kind, id, roles, scopes } }: Caller): string | undefined {
  if (kind === 'anonymous') return undefined;
  return signToken({ sub: id, roles: [...roles], scope: [...scopes].join(' ') }, { key: DEVELOPMENT_KEY });
}

type Send = (http: HttpClient, operation: Parameters<QueryRequest>[0], token: string | undefined) => Promise<HttpResponse<ResponseLike>>;

function byHttp(name: string, kinds: Transport['kinds'], send: Send): Transport {
  return {
    name,
    kinds,
    open(url) {
      const http = createHttpClient({ origin: url });
      return async (operation, caller) => {
        const { body, text, headers } = await send(http, operation, tokenOf(caller));
        // Guarded values must not appear in headers either.
        return { ...body, text: text.startsWith('{') ? `${text}\n${JSON.stringify(headers)}` : text };
      };
    },
  };
}

type Parameters_ = Readonly<Record<string, unknown>>;

const targetOf = (parameters: Parameters_): string =>
  `/graphql?${new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  ).toString()}`;

const hashOf = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') } });

/** Registers the text without credentials, then sends the hash as the caller. A registered document must not have permissions itself. */
const byHash: Send = async (http, { text, variables }, token) => {
  const extensions = hashOf(text);
  await http.get(targetOf({ query: text, variables, extensions }), {});
  return http.get<ResponseLike>(targetOf({ variables, extensions }), { token });
};

/** Sends two equal requests and returns the second response, which may be a cache hit. */
const cached: Send = async (http, { text, variables }, token) => {
  await http.get(targetOf({ query: text, variables }), { token });
  return http.get<ResponseLike>(targetOf({ query: text, variables }), { token });
};

const incrementally: Transport = {
  name: 'POST, in parts',
  kinds: ['query', 'mutation'],
  open:
    (url) =>
    async ({ text, variables }, caller) => {
      const token = tokenOf(caller);
      const response = await requestMultipart({
        url: `${url}/graphql`,
        body: { query: text, variables },
        headers: { accept: ACCEPT_MULTIPART, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      });
      const parts = (await response.rest()) as readonly (ResponseLike & {
        readonly incremental?: readonly (EnginePatch & ResponseLike)[];
      })[];
      const [first = {}, ...later] = parts;
      const patches = later.map(({ incremental = [] }) => incremental);
      const errors = [first, ...patches.flat()].flatMap((part) => part.errors ?? []);
      const data = applyPatches({ data: first.data, errors: [], parts: patches }, errors.length > 0);
      return { data: JSON.parse(JSON.stringify(data)) as unknown, errors, text: JSON.stringify(parts).replace(/^\[/, '{[') };
    },
};

/** One socket for each caller, as real clients have it: permissions belong to the connection. */
const byWebSocket: Transport = {
  name: 'WebSocket',
  kinds: ['query', 'mutation'],
  open(url) {
    const sockets = new Map<string, Promise<RawWebSocket>>();
    let count = 0;
    const connect = async (caller: Caller): Promise<RawWebSocket> => {
      const socket = await openRawWebSocket(url);
      const token = tokenOf(caller);
      socket.send({ type: 'connection_init', ...(token === undefined ? {} : { payload: { authorization: `Bearer ${token}` } }) });
      await socket.next();
      return socket;
    };
    const request: QueryRequest = async ({ text, variables }, caller) => {
      const opening = sockets.get(caller.name) ?? connect(caller);
      sockets.set(caller.name, opening);
      const socket = await opening;
      const id = String((count += 1));
      socket.send({ id, type: 'subscribe', payload: { query: text, variables } });
      const { type, payload } = await socket.next<{ readonly type: string; readonly payload: ResponseLike }>();
      if (type === 'next') await socket.next(); // The next message is `complete`.
      return { ...(type === 'next' ? payload : {}), text: JSON.stringify(payload) };
    };
    return Object.assign(request, {
      async [Symbol.asyncDispose]() {
        for (const socket of sockets.values()) await (await socket)[Symbol.asyncDispose]();
      },
    });
  },
};

export const TRANSPORTS: readonly Transport[] = [
  byHttp('POST', ['query', 'mutation'], (http, { text, variables }, token) =>
    http.post<ResponseLike>('/graphql', { query: text, variables }, { token }),
  ),
  byHttp('GET', ['query'], (http, { text, variables }, token) => http.get<ResponseLike>(targetOf({ query: text, variables }), { token })),
  byHttp('persisted GET', ['query'], byHash),
  byHttp('GET of a cached copy', ['query'], cached),
  incrementally,
  byHttp('POST that takes events', ['query', 'mutation'], (http, { text, variables }, token) =>
    http.post<ResponseLike>('/graphql', { query: text, variables }, { token, headers: { accept: 'text/event-stream, application/json' } }),
  ),
  byWebSocket,
];
