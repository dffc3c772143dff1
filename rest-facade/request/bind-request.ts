import { GatewayError } from '../../gateway/platform/errors.ts';
import type { RequestHeaders } from '../../gateway/platform/request-headers.ts';
import type { BodyBinding, QueryBinding } from '../mapping/bindings.ts';
import type { Route } from '../mapping/route.ts';
import { type Faults, createFaults } from './faults.ts';
import { type QueryParameters, refuseUnknown, single } from './query-parameters.ts';
import { type FieldLimits, type FieldSelection, readFields } from './read-fields.ts';
import { readIdempotencyKey } from './read-idempotency-key.ts';
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
}

/** A request, understood. */
export interface BoundRequest {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly page?: PageRequest;
  readonly fields?: FieldSelection;
}

/**
 * Request to variables. A value that is absent stays absent, so that defaults hold; null is handed on.
 *
 * @throws GatewayError 400 with every fault of query string, body and header; only then `NOT_FOUND` for a path that cannot exist
 */
export function bindRequest({ bindings, result }: Route, input: RestInput, limits: BindLimits): BoundRequest {
  const { query, headers } = input;
  const variables: Record<string, unknown> = {};
  const faults = createFaults(limits.maxErrorDetails);
  refuseUnknown(query, bindings.parameters, faults);
  for (const binding of bindings.query) bindParameter(binding, query, variables, faults);
  const page = bindings.page && readPage(bindings.page, query, { limits, faults, variables });
  if (bindings.sort !== undefined) {
    const text = single(query, 'sort', faults);
    const terms = text === undefined ? bindings.sort.fallback : readSort(text, bindings.sort, faults);
    if (terms.length > 0) variables[bindings.sort.variable] = terms;
  }
  const names = bindings.parameters.has('fields') ? single(query, 'fields', faults) : undefined;
  const fields = names === undefined ? undefined : readFields(names, result.shape, limits, faults);
  if (bindings.body !== undefined) bindBody(bindings.body, input.body, variables, faults);
  faults.throwAny();
  if (bindings.idempotencyKey !== undefined) {
    const key = readIdempotencyKey(headers['idempotency-key'], bindings.idempotencyKey.isRequired);
    if (key !== undefined) variables[bindings.idempotencyKey.variable] = key;
  }
  bindPath(bindings.path, input.path, variables);
  return { variables, ...(page === undefined ? {} : { page }), ...(fields === undefined ? {} : { fields }) };
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

/** An id that cannot exist is an id that does not exist. */
function bindPath(bindings: Route['bindings']['path'], path: readonly string[], variables: Record<string, unknown>): void {
  for (const [index, { variable, read }] of bindings.entries()) {
    const reading = read(path[index] ?? '');
    if (reading.fault !== undefined) throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
    variables[variable] = reading.value;
  }
}
