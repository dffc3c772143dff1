import type { ObjectResult } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import type { Route } from '../mapping/route.ts';
import { isDataObject, valueAt } from '../response/result-values.ts';
import { readOutcome } from '../response/read-outcome.ts';
import type { ReadyRequest } from './ready-request.ts';
import type { StateQuery } from './state-query.ts';

/** Runs the operation of a request. */
export type RunRoute = (ready: ReadyRequest) => Promise<ObjectResult>;

/**
 * Runs a write over the version that the client makes its condition. The subgraph compares it in the transaction that writes, so
 * nothing comes in between; what does not match has no effect, and the next of several versions is tried.
 *
 * @throws GatewayError as `run`, and `PRECONDITION_FAILED`
 */
export async function executeConditionally(run: RunRoute, ready: ReadyRequest): Promise<ObjectResult> {
  const { condition, stateQuery, route } = ready;
  const variable = route.bindings.ifMatch?.variable;
  if (condition === undefined || variable === undefined) return run(ready);
  const since = condition.unmodifiedSince;
  const versions = since === undefined ? condition.versions : stateQuery && [await unchangedVersion(run, ready, { stateQuery, since })];
  const over = (version: unknown): Promise<ObjectResult> =>
    run({ ...ready, bound: { ...ready.bound, variables: { ...ready.bound.variables, [variable]: version } } });
  const [first, ...others] = versions ?? [];
  let result = await (first === undefined ? run(ready) : over(first));
  for (const version of others) {
    if (!isMismatch(result, route)) return result;
    result = await over(version);
  }
  return result;
}

/** A date is no version: it is looked up which one is current, and that one the write must still find. */
async function unchangedVersion(
  run: RunRoute,
  ready: ReadyRequest,
  { stateQuery, since }: { readonly stateQuery: StateQuery; readonly since: number },
): Promise<unknown> {
  const { route, document, variables } = stateQuery;
  const { root } = readOutcome(await run({ ...ready, route, document, bound: { variables } }), route, { variables });
  const { version, lastModified } = route.result.validators;
  const changedAt = Math.floor(Date.parse(String(root[lastModified ?? ''])) / MS_PER_SECOND) * MS_PER_SECOND;
  if (changedAt > since) throw new GatewayError('PRECONDITION_FAILED', 'It was changed since the date in If-Unmodified-Since.');
  return root[version?.name ?? ''];
}

/** Of what HTTP tells dates in. */
const MS_PER_SECOND = 1_000;

function isMismatch({ data, errors }: ObjectResult, { result }: Route): boolean {
  if (errors.some(({ extensions }) => extensions.code === 'VERSION_MISMATCH')) return true;
  const listed = result.userErrors && valueAt(data, result.userErrors.path);
  return Array.isArray(listed) && listed.some((entry) => isDataObject(entry) && entry['code'] === 'VERSION_MISMATCH');
}
