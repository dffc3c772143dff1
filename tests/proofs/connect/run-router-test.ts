import { isDeepStrictEqual } from 'node:util';
import { parse } from 'graphql';
import { isRecord } from '../../../gateway/subgraph-client/read-response.ts';
import { describeRequest } from './compare-requests.ts';
import { compareResponses, type Differences, idKeysOf, isNulledData, NULLED_DATA } from './compare-responses.ts';
import { openCorpusGateway } from './corpus-gateway.ts';
import { compareBodies } from './compare-bodies.ts';
import { type CapturedRequest, type FakeBackEnd, type RecordedResponse, startFakeBackEnd } from './fake-back-end.ts';
import { jsonOf, respondFrom } from './http-snapshots.ts';
import type { Execution, ExpectedRequest, MockedServer, RequestCondition } from './router-test-values.ts';
import type { RouterTest } from './router-vocabulary.ts';

/** Result of one test. */
export interface RouterTestResult extends Differences {
  readonly requests: number;
}

const NOT_FOUND: RecordedResponse = { status: 404, headers: {}, body: '' };

/** Runs the operations of a test with a gateway and fake back ends, and compares responses and requests. */
export async function runRouterTest(test: RouterTest): Promise<RouterTestResult> {
  await using backEnds = await startBackEnds(test);
  const unexplained: string[] = [];
  const explained: string[] = [];
  for (const execution of test.executions) {
    const found = await execute(execution, backEnds.insert);
    unexplained.push(...found.unexplained);
    explained.push(...found.explained);
  }
  for (const { server, requests } of test.expectedRequests) {
    const differences = compareRequests(backEnds.received(server), requests);
    unexplained.push(...differences.unexplained);
    explained.push(...differences.explained);
  }
  for (const { server, index, body } of test.expectedBodies) {
    const found = backEnds.received(server)[index]?.body;
    if (found !== body) unexplained.push(`body: expected ${body}, found ${String(found)}`);
  }
  return { unexplained, explained: [...new Set(explained)], requests: backEnds.count() };
}

async function execute(execution: Execution, insert: (text: string) => string): Promise<Differences> {
  const { edit, query, variables, expectations } = execution;
  await using gateway = await openCorpusGateway({
    sdl: insert(execution.sdl),
    configuration: jsonOf(insert(JSON.stringify(execution.configuration))),
    clientHeaders: [...edit.headers.keys()],
    environment: execution.environment,
    context: Object.fromEntries(edit.context),
  });
  const { payloads } = await gateway.send({ query, variables }, Object.fromEntries(edit.headers));
  const unexplained: string[] = [];
  const explained = gateway.ignored.filter((reason) => !reason.includes('no such source') && !reason.includes('no server'));
  for (const { path, value } of expectations) {
    if (path.length > 0) {
      const found = valueAt(payloads[0], path);
      const isNulled = path[0] === 'data' && path.length === 1 && isNulledData(value, found);
      // Extensions of errors differ between the routers.
      const isEqual = path.includes('extensions') || isDeepStrictEqual(found, value);
      if (isNulled) explained.push(NULLED_DATA);
      else if (!isEqual) unexplained.push(`${path.join('.')}: expected ${JSON.stringify(value)}, found ${JSON.stringify(found)}`);
      continue;
    }
    const differences = compareResponses(value, payloads, idKeysOf(gateway.schema, parse(query)));
    unexplained.push(...differences.unexplained);
    explained.push(...differences.explained);
  }
  return { unexplained, explained };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => {
    if (Array.isArray(at)) return name === 'length' ? at.length : (at as readonly unknown[])[Number(name)];
    return isRecord(at) ? at[name] : undefined;
  }, value);
}

/** Back ends of a test, each for one mocked server. */
interface RunningBackEnds extends AsyncDisposable {
  /** Replaces the placeholders of URLs. */
  readonly insert: (text: string) => string;
  readonly received: (server: MockedServer) => readonly CapturedRequest[];
  readonly count: () => number;
}

async function startBackEnds({ servers }: RouterTest): Promise<RunningBackEnds> {
  const running = new Map<MockedServer, FakeBackEnd>();
  for (const server of servers) running.set(server, await startFakeBackEnd((request) => respond(server, request)));
  return {
    insert: (text) => [...running].reduce((inserted, [{ url }, backEnd]) => inserted.replaceAll(url, backEnd.url), text),
    received: (server) => running.get(server)?.received ?? [],
    count: () => [...running.values()].reduce((sum, { received }) => sum + received.length, 0),
    async [Symbol.asyncDispose]() {
      for (const backEnd of running.values()) await backEnd[Symbol.asyncDispose]();
    },
  };
}

function respond({ mocks, snapshots }: MockedServer, request: CapturedRequest): RecordedResponse {
  if (snapshots.length > 0) return respondFrom(snapshots, request);
  return mocks.find(({ conditions }) => conditions.every((condition) => meets(request, condition)))?.response ?? NOT_FOUND;
}

function meets(request: CapturedRequest, { part, name = '', value }: RequestCondition): boolean {
  if (part === 'body') return compareBodies(value, jsonOf(request.body)) !== undefined;
  return (part === 'header' ? request.headers.get(name) : request[part]) === value;
}

/** Compares requests one to one, in any order: requests that are sent at the same time can arrive in any order. */
function compareRequests(received: readonly CapturedRequest[], expected: readonly ExpectedRequest[]): Differences {
  const assigned = received.length === expected.length ? assign(received, expected) : undefined;
  if (assigned !== undefined) return { unexplained: [], explained: assigned.flat() };
  const unmatched = received.filter((request) => !expected.some((one) => match(request, one) !== undefined));
  const missing = expected.filter((one) => !received.some((request) => match(request, one) !== undefined));
  const unexplained = [
    `expected ${String(expected.length)} requests, found ${String(received.length)}`,
    ...unmatched.map((request) => `unexpected: ${describeRequest(request)} ${JSON.stringify([...request.headers])} ${request.body}`),
    ...missing.map(({ parts }) => `missing: ${JSON.stringify({ ...parts, headers: [...(parts.headers ?? [])] })}`),
  ];
  return { unexplained, explained: [] };
}

/** Assigns each request to an expected one. @returns the reasons for accepted differences, undefined if there is no assignment */
function assign([request, ...more]: readonly CapturedRequest[], expected: readonly ExpectedRequest[]): readonly string[][] | undefined {
  if (request === undefined) return expected.length === 0 ? [] : undefined;
  for (const [index, one] of expected.entries()) {
    const reasons = match(request, one);
    const others = reasons === undefined ? undefined : assign(more, expected.toSpliced(index, 1));
    if (reasons !== undefined && others !== undefined) return [[...reasons], ...others];
  }
  return undefined;
}

/** Compares a request with an expected one. @returns the reasons for accepted differences of the body, undefined if they are different */
function match(request: CapturedRequest, { parts }: ExpectedRequest): readonly string[] | undefined {
  const { method, path, query, body, headers = [] } = parts;
  const isEqual =
    (method === undefined || method === request.method) &&
    (path === undefined || path === request.path) &&
    (query === undefined || query === request.query) &&
    [...headers].every(([name, values]) => request.headers.get(name) === values.join(', '));
  if (!isEqual) return undefined;
  return body === undefined ? [] : compareBodies(body, jsonOf(request.body));
}
