import fc from 'fast-check';
import { responseIssues } from '../../../support/description/response-issues.ts';
import { fetchDescriptions } from '../../../support/description/fetch-descriptions.ts';
import { createHttpClient } from '../../../support/http/http-client.ts';
import { type Call, arbitraryCall, withCreated } from './arbitrary-call.ts';

export interface FuzzOptions {
  readonly origin: string;
  readonly secrets: readonly string[];
  /** Bearer tokens of callers. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Names of the callers that may call operations of a method. A caller without a token is anonymous. */
  readonly callersOf: (method: string) => readonly string[];
  readonly seed: number;
  readonly cases: number;
}

export interface FuzzReport {
  /** Responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Successful calls of each operation. */
  readonly successes: ReadonlyMap<string, number>;
  /** Violations, each with the call that caused it. */
  readonly failures: readonly string[];
}

/** Timeout for the first comment or event of a stream. @unit milliseconds */
const STREAM_PATIENCE_MS = 250;

/** Number of concurrent calls. */
const AT_ONCE = 8;

/** Sends calls that are generated from the description and checks each response against it. */
export async function fuzzDescription({ origin, secrets, tokens, callersOf, seed, cases }: FuzzOptions): Promise<FuzzReport> {
  const interfaces = await fetchDescriptions(origin);
  const http = createHttpClient({ origin, secrets });
  const calls = fc.sample(fc.oneof(...interfaces.map((described) => arbitraryCall(described, callersOf))), { seed, numRuns: cases });
  const statuses = new Map<number, number>();
  const ids = interfaces.flatMap(({ operations }) => operations.map(({ operation }) => operation.operationId));
  const successes = new Map<string, number>(ids.map((id) => [id, 0]));
  const failures: string[] = [];
  // The creator of an object may call most of its operations.
  const created = new Map<string, string[]>();
  const createdBy = (caller: string, collection: string): readonly string[] => created.get(`${caller} ${collection}`) ?? [];

  async function send({ operationId, caller, request, wrong }: Call): Promise<void> {
    const { method = 'GET' } = request;
    const path = withCreated(request.path, (collection) => createdBy(caller, collection));
    const what = `${caller}: ${method} ${path.slice(0, 300)} ${JSON.stringify(request.headers)} ${String(request.body ?? '').slice(0, 300)}`;
    try {
      const response = await http.send({ ...request, path, token: tokens[caller], streamPatienceMs: STREAM_PATIENCE_MS });
      const { status } = response;
      const isSuccess = status >= 200 && status < 300;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (isSuccess && operationId !== undefined) successes.set(operationId, (successes.get(operationId) ?? 0) + 1);
      const [, collection = '', id] = /([^/]+)\/(\d+)$/.exec(response.headers.location ?? '') ?? [];
      if (id !== undefined) created.set(`${caller} ${collection}`, [...createdBy(caller, collection), id]);
      const found = [
        ...responseIssues({ ...response, method, target: path }, interfaces),
        ...(status >= 500 && status !== 501 ? [`the call failed with ${status}`] : []),
        ...(isSuccess && wrong.length > 0 ? [`the call succeeded despite ${wrong.join(', ')}`] : []),
        ...(isSuccess && /"errors?":/.test(response.text) ? ['a successful response contains an error'] : []),
      ];
      if (found.length > 0) failures.push(`${found.slice(0, 4).join('; ')}\n    ${what}\n    ${status} ${response.text.slice(0, 300)}`);
    } catch (error) {
      failures.push(`${String(error)}\n    ${what}`);
    }
  }

  const queue = calls.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const call of queue) await send(call);
    }),
  );
  return { statuses, successes, failures };
}
