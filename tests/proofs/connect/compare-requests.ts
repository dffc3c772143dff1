import { isDeepStrictEqual } from 'node:util';
import type { Differences } from './compare-responses.ts';
import type { CapturedRequest } from './fake-back-end.ts';
import { debuggedRequests, findSnapshot, type HttpSnapshot, jsonOf } from './http-snapshots.ts';

const OMITTED = 'an expression without a value; the gateway omits the header, the other router sends it empty';

/** Describes a request for messages. */
export function describeRequest({ method, path, query }: Pick<CapturedRequest, 'method' | 'path' | 'query'>): string {
  return `${method} ${path}${query === '' ? '' : `?${query}`}`;
}

/** Compares requests with the recorded ones, each of which must have been sent exactly once. */
export function compareWithSnapshots(received: readonly CapturedRequest[], snapshots: readonly HttpSnapshot[]): Differences {
  const found = received.map((request) => ({ request, snapshot: findSnapshot(snapshots, request) }));
  const unexpected = found.flatMap(({ request, snapshot }) =>
    snapshot === undefined ? [`request that was not recorded: ${describeRequest(request)}`] : [],
  );
  const counts = snapshots.flatMap((one) => {
    const count = found.filter(({ snapshot }) => snapshot === one).length;
    return count === 1 ? [] : [`recorded request ${one.method} ${one.target}: sent ${String(count)} times`];
  });
  return { unexplained: [...unexpected, ...counts], explained: [] };
}

/** Compares requests, in their order, with those that the debugging extension of an expected response lists. */
export function compareWithDebugging(received: readonly CapturedRequest[], expected: unknown): Differences {
  const wanted = debuggedRequests(expected) ?? [];
  if (wanted.length !== received.length) {
    return { unexplained: [`expected ${String(wanted.length)} requests, found ${String(received.length)}`], explained: [] };
  }
  const unexplained: string[] = [];
  const explained: string[] = [];
  for (const [index, { url, method, headers, body }] of wanted.entries()) {
    const request = received[index];
    if (request === undefined) continue;
    const { pathname, search } = new URL(url);
    const target = `${method} ${pathname}${search}`;
    if (describeRequest(request) !== target) unexplained.push(`expected the request ${target}, found ${describeRequest(request)}`);
    if (!isDeepStrictEqual(jsonOf(request.body), body)) unexplained.push(`${target}: found the body ${request.body}`);
    for (const [name, value] of headers) {
      const sent = request.headers.get(name);
      if (sent === undefined && value === '') explained.push(`${target}: header ${name}: ${OMITTED}`);
      else if (sent !== value) unexplained.push(`${target}: expected the header ${name}: ${value}, found ${String(sent)}`);
    }
  }
  return { unexplained, explained };
}
