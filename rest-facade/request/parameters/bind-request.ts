import { GatewayError } from '../../../gateway/platform/errors.ts';
import { keyRequired, readIdempotencyKey } from '../../../gateway/platform/http/request/idempotency-key.ts';
import type { RequestHeaders } from '../../../gateway/platform/request-headers.ts';
import type { HeaderBinding, QueryBinding } from '../../compile/bindings/bindings.ts';
import { readSortTerm, type SortBinding, type SortTerm, withTieBreaker } from '../../compile/bindings/sort.ts';
import type { RestRoute } from '../../compile/rest-route.ts';
import { COUNT_PARAMETER } from '../../compile/result/collection.ts';
import type { FieldSelection } from '../../compile/result/field-mask.ts';
import { type FieldLimits, readFieldSelection } from './field-selection.ts';
import { type PageLimits, type PageRequest, readPage } from './page-request.ts';
import { type QueryParameters, refuseUnknown, single } from './query-parameters.ts';
import { createValidationIssues, type ValidationIssues } from './validation-issues.ts';

export interface BindLimits extends PageLimits, FieldLimits {
  /** Maximum number of validation errors that an error response lists. @unit issues */
  readonly maxErrorDetails: number;
}

/** The parts of a request that become variables. */
export interface RestInput {
  /** Decoded path parameters, in the order of the template. */
  readonly path: readonly string[];
  readonly query: QueryParameters;
  /** Parsed body. Undefined if the route takes no body. */
  readonly body: unknown;
  readonly headers: RequestHeaders;
  /** Whether unknown parameters are ignored. @defaultValue false */
  readonly isLenient?: boolean;
  /** Whether the client prefers a response without the total. @defaultValue false */
  readonly isCountUnwanted?: boolean;
}

/** A validated request. */
export interface BoundRequest {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly page?: PageRequest | undefined;
  readonly fields?: FieldSelection | undefined;
  /** Whether the total is omitted. @defaultValue false */
  readonly isUncounted?: boolean;
}

/**
 * Converts a request to variables. An absent value remains absent, so that defaults apply, and null is passed on.
 *
 * @throws GatewayError 400 with every error in query string, body and headers; `NOT_FOUND` for a path that cannot exist, if there is no
 * other error
 */
export function bindRequest({ bindings, result }: RestRoute, input: RestInput, limits: BindLimits): BoundRequest {
  const { query, headers, isLenient = false } = input;
  const variables: Record<string, unknown> = {};
  const issues = createValidationIssues(limits.maxErrorDetails);
  if (!isLenient) refuseUnknown(query, bindings.parameters, issues);
  for (const binding of bindings.query) bindParameter(binding, query, variables, issues);
  const page = bindings.page && readPage(bindings.page, query, { limits, issues, variables });
  if (bindings.sort !== undefined) {
    const text = single(query, 'sort', issues);
    const terms = text === undefined ? bindings.sort.fallback : readSort(text, bindings.sort, issues);
    if (terms.length > 0) variables[bindings.sort.variable] = terms;
  }
  const isUncounted = bindings.parameters.has(COUNT_PARAMETER) && (readCount(query, issues) || input.isCountUnwanted === true);
  for (const binding of bindings.headers) bindHeader(binding, headers, variables, issues);
  const names = bindings.parameters.has('fields') ? single(query, 'fields', issues) : undefined;
  const fields = names === undefined ? undefined : readFieldSelection(names, result.shape, limits, issues);
  bindings.body?.bind(input.body, variables, (field, issue) => issues.add('BAD_USER_INPUT', field, issue));
  issues.throwAny();
  if (bindings.idempotencyKey !== undefined) {
    const header = headers['idempotency-key'];
    if (header !== undefined) variables[bindings.idempotencyKey.variable] = readIdempotencyKey(header);
    else if (bindings.idempotencyKey.isRequired) throw keyRequired();
  }
  bindPath(bindings.path, input.path, variables);
  return { variables, page, fields, isUncounted };
}

/** Whether the query parameter `count` turns the total off, because counting can be expensive. */
function readCount(query: QueryParameters, issues: ValidationIssues): boolean {
  const text = single(query, COUNT_PARAMETER, issues);
  if (text !== undefined && text !== 'none') issues.add('INVALID_PARAMETER', COUNT_PARAMETER, 'must be none or absent');
  return text === 'none';
}

function bindHeader(
  { variable, name, read, isRequired }: HeaderBinding,
  headers: RequestHeaders,
  variables: Record<string, unknown>,
  issues: ValidationIssues,
): void {
  const text = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (text === undefined) {
    if (isRequired) issues.add('BAD_REQUEST', name, 'is a required header');
    return;
  }
  const reading = typeof text === 'string' ? read(text) : { issue: 'must not be repeated' };
  if (reading.issue === undefined) variables[variable] = reading.value;
  else issues.add('BAD_REQUEST', name, reading.issue);
}

function bindParameter(
  { variable, name, read, isList, isRequired }: QueryBinding,
  query: QueryParameters,
  variables: Record<string, unknown>,
  issues: ValidationIssues,
): void {
  const text = isList ? query.get(name)?.join(',') : single(query, name, issues);
  if (text === undefined) {
    if (isRequired && !query.has(name)) issues.add('INVALID_PARAMETER', name, 'is required');
    return;
  }
  const values: unknown[] = [];
  for (const part of isList ? text.split(',') : [text]) {
    const reading = read(part);
    if (reading.issue !== undefined) {
      issues.add('INVALID_PARAMETER', name, reading.issue);
      return;
    }
    values.push(reading.value);
  }
  variables[variable] = isList ? values : values[0];
}

/** Reads path parameters. An id with an invalid format is treated as an id that does not exist. @throws GatewayError `NOT_FOUND` */
export function bindPath(bindings: RestRoute['bindings']['path'], path: readonly string[], variables: Record<string, unknown>): void {
  for (const [index, { variable, read }] of bindings.entries()) {
    const reading = read(path[index] ?? '');
    if (reading.issue !== undefined) throw new GatewayError('NOT_FOUND', 'There is no resource at this path.');
    variables[variable] = reading.value;
  }
}

/** Reads the query parameter `sort`: comma-separated keys. A repeated key is ignored, because it has no effect on the order. */
function readSort(text: string, { keys, tieBreaker }: SortBinding, issues: ValidationIssues): readonly SortTerm[] {
  const terms: SortTerm[] = [];
  const parts = text.split(',', keys.size + 1);
  if (parts.length > keys.size) {
    issues.add('INVALID_PARAMETER', 'sort', `contains more than ${keys.size} keys`);
    return [];
  }
  for (const part of parts) {
    const term = readSortTerm(part, keys);
    if (term === undefined) {
      issues.add(
        'INVALID_PARAMETER',
        'sort',
        `must contain comma-separated keys, with a minus sign before a key for descending order; the allowed keys are ${[...keys.keys()].join(', ')}`,
      );
      return [];
    }
    if (terms.every(({ field }) => field !== term.field)) terms.push(term);
  }
  return withTieBreaker(terms, tieBreaker);
}
