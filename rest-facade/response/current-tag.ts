import type { ObjectResult } from '../../gateway/index.ts';
import type { ReadyRequest } from '../http/ready-request.ts';
import { NOTHING_OMITTED } from './denied-fields.ts';
import { isDataObject, valueAt } from './result-values.ts';
import { toValidators } from './to-validators.ts';

/**
 * The `ETag` that GET of the resource would have now, by the version that a write found in place of the expected one. Undefined where the
 * payload does not tell it, or the version alone does not make the tag.
 */
export function currentTagOf({ data }: ObjectResult, ready: ReadyRequest): string | undefined {
  const { readRoute: route, bound } = ready;
  const { path = [], currentVersion = '' } = ready.route.result.userErrors ?? {};
  const name = route?.result.validators.version?.name;
  const errors: unknown = path.length === 0 || currentVersion === '' ? undefined : valueAt(data, path);
  if (route === undefined || name === undefined || !Array.isArray(errors)) return undefined;
  const mismatch: unknown = errors.find((error) => isDataObject(error) && error['code'] === 'VERSION_MISMATCH');
  if (!isDataObject(mismatch) || mismatch[currentVersion] === null) return undefined;
  const outcome = { root: { [name]: mismatch[currentVersion] }, omitted: NOTHING_OMITTED };
  const read = { ...ready, route, bound: { variables: {}, fields: bound.fields }, isMinimal: false, isAnonymousView: false };
  return toValidators(outcome, read, undefined).etag;
}
