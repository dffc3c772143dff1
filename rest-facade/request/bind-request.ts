import { GatewayError } from '../../gateway/platform/errors.ts';
import { keyRequired, readIdempotencyKey } from '../../gateway/platform/http/request/idempotency-key.ts';
import type { RequestHeaders } from '../../gateway/platform/request-headers.ts';
import type { BodyBinding, HeaderBinding, QueryBinding } from '../mapping/bindings.ts';
import type { Route } from '../mapping/route.ts';
import { COUNT_PARAMETER } from '../mapping/collection.ts';
import { type Faults, createFaults } from './faults.ts';
import { type QueryParameters, refuseUnknown, single } from './query-parameters.ts';
import { type FieldLimits, type FieldSelection, readFields } from './read-fields.ts';
import { type PageLimits, type PageRequest, readPage } from './read-page.ts';
import { readSort } from './sort-term.ts';

export interface BindLimits extends PageLimits, FieldLimits {
  /** So many faults of a request are told one by one. @unit faults */
  readonly maxErrorDetails: number;
}

/** What of a request becomes variables. */
export interface RestInput {
  /** Decoded parameters of the path, in the order of the template. */
  readonly path: readonly string[];
  readonly query: QueryParameters;
  /** Parsed; undefined where the route takes none. */
  readonly body: unknown;
  readonly headers: RequestHeaders;
  /** Whether parameters that nobody knows are passed over. @defaultValue false */
  readonly isLenient?: boolean;
  /** Whether the client prefers not to have counted what there is. @defaultValue false */
  readonly isCountUnwanted?: boolean;
}

/** A request, understood. */
export interface BoundRequest {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly page?: PageRequest | undefined;
  readonly fields?: FieldSelection | undefined;
  /** Whether nobody asks how many items there are. @defaultValue false */
  readonly isUncounted?: boolean;
}

/**
 * Request to variables. A value that is absent stays absent, so that defaults hold; null is handed on.
 *
 * @throws GatewayError 400 with every fault of query string, body and header; only then `NOT_FOUND` for a path that cannot exist
 */
export function bindRequest({ bindings, result }: Route, input: RestInput, limits: BindLimits): BoundRequest {
  const { query, headers, isLenient = false } = input;
  const variables: Record<string, unknown> = {};
  const faults = createFaults(limits.maxErrorDetails);
  if (!isLenient) refuseUnknown(query, bindings.parameters, faults);
  for (const binding of bindings.query) bindParameter(binding, query, variables, faults);
  const page = bindings.page && readPage(bindings.page, query, { limits, faults, variables });
  if (bindings.sort !== undefined) {
    const text = single(query, 'sort', faults);
    const terms = text === undefined ? bindings.sort.fallback : readSort(text, bindings.sort, faults);
    if (terms.length > 0) variables[bindings.sort.variable] = terms;
  }
  const isUncounted = bindings.parameters.has(COUNT_PARAMETER) && (readCount(query, faults) || input.isCountUnwanted === true);
  for (const binding of bindings.headers) bindHeader(binding, headers, variables, faults);
  const names = bindings.parameters.has('fields') ? single(query, 'fields', faults) : undefined;
  const fields = names === undefined ? undefined : readFields(names, result.shape, limits, faults);
  if (bindings.body !== undefined) bindBody(bindings.body, input.body, variables, faults);
  faults.throwAny();
  if (bindings.idempotencyKey !== undefined) {
    const header = headers['idempotency-key'];
    if (header !== undefined) variables[bindings.idempotencyKey.variable] = readIdempotencyKey(header);
    else if (bindings.idempotencyKey.isRequired) throw keyRequired();
  }
  bindPath(bindings.path, input.path, variables);
  return { variables, page, fields, isUncounted };
}

/** Whether the parameter `count` says that no total is wanted: it costs what it costs to count. */
function readCount(query: QueryParameters, faults: Faults): boolean {
  const text = single(query, COUNT_PARAMETER, faults);
  if (text !== undefined && text !== 'none') faults.add('INVALID_PARAMETER', COUNT_PARAMETER, 'must be none, or left out');
  return text === 'none';
}

function bindHeader(
  { variable, name, read, isRequired }: HeaderBinding,
  headers: RequestHeaders,
  variables: Record<string, unknown>,
  faults: Faults,
): void {
  const text = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (text === undefined) {
    if (isRequired) faults.add('BAD_REQUEST', name, 'is a header that this request needs');
    return;
  }
  const reading = typeof text === 'string' ? read(text) : { fault: 'is given more than once' };
  if (reading.fault === undefined) variables[variable] = reading.value;
  else faults.add('BAD_REQUEST', name, reading.fault);
}

function bindParameter(
  { variable, name, read, isList, isRequired }: QueryBinding,
  query: QueryParameters,
  variables: Record<string, unknown>,
  faults: Faults,
): void {
  const text = isList ? query.get(name)?.join(',') : single(query, name, faults);
  if (text === undefined) {
    if (isRequired && !query.has(name)) faults.add('INVALID_PARAMETER', name, 'is required');
    return;
  }
  const values: unknown[] = [];
  for (const part of isList ? text.split(',') : [text]) {
    const reading = read(part);
    if (reading.fault !== undefined) {
      faults.add('INVALID_PARAMETER', name, reading.fault);
      return;
    }
    values.push(reading.value);
  }
  variables[variable] = isList ? values : values[0];
}

function bindBody({ variable, read }: BodyBinding, body: unknown, variables: Record<string, unknown>, faults: Faults): void {
  variables[variable] = read(body, '', (field, fault) => faults.add('BAD_USER_INPUT', field, fault));
}

/** An id that cannot exist is an id that does not exist. @throws GatewayError `NOT_FOUND` */
export function bindPath(bindings: Route['bindings']['path'], path: readonly string[], variables: Record<string, unknown>): void {
  for (const [index, { variable, read }] of bindings.entries()) {
    const reading = read(path[index] ?? '');
    if (reading.fault !== undefined) throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
    variables[variable] = reading.value;
  }
}
