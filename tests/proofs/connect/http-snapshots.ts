import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../gateway/subgraph-client/read-response.ts';
import type { CapturedRequest, RecordedResponse } from './fake-back-end.ts';

/** A recorded request of the corpus, with its response. */
export interface HttpSnapshot {
  readonly method: string;
  /** Path and query without encoding. */
  readonly target: string;
  /** Body as JSON. Null without one. */
  readonly body: unknown;
  readonly response: RecordedResponse;
}

const MISSING: RecordedResponse = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: '{"error":"nothing was recorded for this request"}',
};

/** Reads a file with snapshots. @throws Error for a snapshot whose path is a pattern */
export function readSnapshots(text: string): readonly HttpSnapshot[] {
  const snapshots = JSON.parse(text) as readonly {
    readonly request: { readonly method?: string; readonly path?: string; readonly body?: unknown };
    readonly response: { readonly status: number; readonly headers: Readonly<Record<string, readonly string[]>>; readonly body: unknown };
  }[];
  return snapshots.map(({ request: { method = 'GET', path, body = null }, response }) => {
    if (path === undefined) throw new Error('A snapshot has no path. Patterns are not read.');
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, values]) => [name, values.join(', ')]));
    return {
      method,
      target: `/${path.replace(/^\//, '')}`,
      body,
      response: { status: response.status, headers, body: JSON.stringify(response.body) },
    };
  });
}

/** Finds the snapshot of a request by its method, path, query and body. */
export function findSnapshot(snapshots: readonly HttpSnapshot[], request: CapturedRequest): HttpSnapshot | undefined {
  const target = decodeURIComponent(request.path) + (request.query === '' ? '' : `?${request.query}`);
  return snapshots.find(
    (one) => one.method === request.method && one.target === target && isDeepStrictEqual(one.body, jsonOf(request.body)),
  );
}

/** Returns the recorded response to a request, or an error. */
export function respondFrom(snapshots: readonly HttpSnapshot[], request: CapturedRequest): RecordedResponse {
  return findSnapshot(snapshots, request)?.response ?? MISSING;
}

/** Parses a body. Text that is not JSON counts as no body, as in the recorded requests. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** A request in the words of the debugging extension of the other router. */
interface DebuggedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: unknown;
}

/** Returns the requests that the debugging extension of an expected response lists, in their order. */
export function debuggedRequests(expected: unknown): readonly DebuggedRequest[] | undefined {
  const extensions = isRecord(expected) ? expected['extensions'] : undefined;
  const debugging = isRecord(extensions) ? extensions['apolloConnectorsDebugging'] : undefined;
  if (!isRecord(debugging)) return undefined;
  return (debugging['data'] as readonly { readonly request: DebuggedRequest }[]).map(({ request }) => request);
}
