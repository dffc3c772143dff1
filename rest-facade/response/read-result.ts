import type { ObjectResult } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { PrintedItems } from '../compile/result/printed-items.ts';
import type { ResultMapping } from '../compile/result/result-mapping.ts';
import { toExecutionError, toUserError } from '../errors/operation-error.ts';
import type { BoundRequest } from '../request/parameters/bind-request.ts';
import { classifyErrors, type MissingField, NOTHING_OMITTED, type OmittedFields } from './classify-errors.ts';
import { isResultObject, itemsOf, type ResultObject, takePrintedItems, valueAt } from './result-data.ts';

/** The result of a successful operation. */
export interface ReadResult {
  /** The object that the response shows, or the connection. */
  readonly root: ResultObject;
  /** Items of a collection, as JSON text if they are shown as they were printed. */
  readonly items?: readonly unknown[] | string;
  /** Fields that the caller may not see. */
  readonly omitted: OmittedFields;
  /** Fields that failed and are marked with `@nullOnError`. */
  readonly missing?: readonly MissingField[];
}

const NOTHING_ABOUT_IT: ResultObject = Object.freeze({});

/**
 * Reads the result of an operation.
 *
 * @param printed position of the items of a collection in the printed data
 * @throws GatewayError if the operation failed or was denied, or the resource does not exist
 */
export function readResult(response: ObjectResult, route: RestRoute, bound: BoundRequest, printed?: PrintedItems): ReadResult {
  const taken =
    printed && response.text !== undefined && response.errors.length === 0 ? takePrintedItems(response.text, printed) : undefined;
  if (taken === undefined) return readValues(response, route, bound);
  const root = valueAt(taken.data, route.result.path);
  return { root: isResultObject(root) ? root : NOTHING_ABOUT_IT, omitted: NOTHING_OMITTED, items: taken.items };
}

function readValues({ data, errors }: ObjectResult, { result, method, bindings }: RestRoute, bound: BoundRequest): ReadResult {
  // A write is not rejected because of a field in its response; a field without permission is omitted instead.
  const { omitted, fatal, nulled } = classifyErrors(errors, data, result, method === 'GET' ? bound.fields?.names : undefined);
  if (fatal.length > 0) throw toExecutionError(fatal, method, bindings.parameters);
  const root = valueAt(data, result.path);
  const { collection } = result;
  const missing = nulled.length === 0 ? {} : { missing: nulled };
  if (collection !== undefined && root !== null && root !== undefined) {
    return { root: isResultObject(root) ? root : NOTHING_ABOUT_IT, omitted, items: itemsOf(root, collection), ...missing };
  }
  // If no field is shown, every value except null and `false` means success.
  if (result.shape.size === 0 && root !== null && root !== undefined && root !== false) return { root: NOTHING_ABOUT_IT, omitted };
  if (isResultObject(root))
    return result.hoisted === undefined ? { root, omitted, ...missing } : addHoistedFields({ root, omitted, ...missing }, data, result);
  const error = result.userErrors && toUserError(valueAt(data, result.userErrors.path), result.userErrors);
  throw error ?? new GatewayError('NOT_FOUND', 'The resource does not exist.');
}

/** Adds the `@hoist` fields of the parent object. */
function addHoistedFields({ root, omitted, ...more }: ReadResult, data: unknown, { path, hoisted = [] }: ResultMapping): ReadResult {
  const holder = valueAt(data, path.slice(0, -1));
  const values = isResultObject(holder) ? hoisted.map((name) => [name, holder[name]] as const) : [];
  const shown = { ...root, ...Object.fromEntries(values) };
  const gaps = omitted.get(root);
  return { ...more, root: shown, omitted: gaps === undefined ? omitted : new Map([...omitted, [shown, gaps]]) };
}
