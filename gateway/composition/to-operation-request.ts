import { randomUUID } from 'node:crypto';
import type { OperationInput } from '../gateway.ts';
import type { OperationRequest } from '../pipeline/operation-request.ts';
import { ANONYMOUS, type Principal } from '../platform/principal.ts';
import { CORRELATION_ID_HEADER, readCorrelationId, type RequestHeaders } from '../platform/request-headers.ts';

/**
 * Converts the input of `Gateway.run` to a request.
 *
 * @throws TypeError that names the property with a wrong type, because JavaScript applications are not checked by a compiler
 */
export function toOperationRequest(input: OperationInput): OperationRequest {
  requireThat(isObject(input), 'the argument must be an object with a "query".');
  const { query, signal, headers, principal = ANONYMOUS } = input;
  requireThat(typeof query === 'string' && query.trim() !== '', '"query" must be the text of a GraphQL document.');
  // Applications pass both as a client has sent them in JSON, where null is the same as an absent value.
  const operationName = input.operationName ?? undefined;
  const variables = input.variables ?? undefined;
  requireThat(
    operationName === undefined || typeof operationName === 'string',
    '"operationName" must be the name of an operation of the document.',
  );
  requireThat(variables === undefined || isObject(variables), '"variables" must be an object of values by name.');
  if (variables !== undefined) checkVariable(variables, 'variables', 0);
  requireThat(signal === undefined || signal instanceof AbortSignal, '"signal" must be an AbortSignal.');
  checkPrincipal(principal);
  const received = lowerCased(headers ?? {});
  const sent = received[CORRELATION_ID_HEADER];
  const correlationId = sent === undefined ? randomUUID() : readCorrelationId(received);
  return {
    principal,
    document: { text: query },
    operationName,
    variables,
    transport: 'graphql',
    headers: { ...received, [CORRELATION_ID_HEADER]: correlationId },
    correlationId,
    signal: signal ?? new AbortController().signal,
  };
}

function requireThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new TypeError(`gateway.run: ${message}`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const CALLER_KINDS: ReadonlySet<unknown> = new Set(['anonymous', 'user', 'service']);

function checkPrincipal(principal: Principal): void {
  const instead = 'Without a principal, the caller is anonymous.';
  requireThat(isObject(principal), `"principal" must be a caller, as gateway.authenticate returns it. ${instead}`);
  const { kind, id, roles, scopes } = principal;
  requireThat(CALLER_KINDS.has(kind), `"principal.kind" must be "anonymous", "user" or "service". ${instead}`);
  requireThat(typeof id === 'string', `"principal.id" must be a string. ${instead}`);
  requireThat(roles instanceof Set && scopes instanceof Set, `"principal" must have the sets "roles" and "scopes". ${instead}`);
}

/** Maximum depth of variables, which also ends the check of an object that contains itself. */
const MAX_VARIABLE_DEPTH = 1_000;

/** Checks that a value can be sent to subgraphs as JSON. Objects with `toJSON`, such as dates, convert themselves. */
function checkVariable(value: unknown, path: string, depth: number): void {
  const problem = problemOf(value, depth);
  if (problem !== undefined) throw new TypeError(`gateway.run: "${path.slice(0, MAX_PATH_LENGTH)}" ${problem}`);
  if (typeof value !== 'object' || value === null || ('toJSON' in value && typeof value.toJSON === 'function')) return;
  for (const [key, item] of Object.entries(value)) checkVariable(item, `${path}.${key}`, depth + 1);
}

/** Maximum length of a path in a message. @unit characters */
const MAX_PATH_LENGTH = 100;

function problemOf(value: unknown, depth: number): string | undefined {
  if (depth > MAX_VARIABLE_DEPTH) return 'is nested too deeply, or contains itself.';
  if (typeof value === 'bigint') return 'is a BigInt, which JSON does not support. Pass a number or a string.';
  if (typeof value === 'function' || typeof value === 'symbol') return `is a ${typeof value}, which JSON does not support.`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `is ${value}, which JSON does not support.`;
  return undefined;
}

/** Returns headers as Node.js parses them. Names that differ only in case are one header, whose values are joined. */
function lowerCased(headers: NonNullable<OperationInput['headers']>): RequestHeaders {
  requireThat(isObject(headers) || Array.isArray(headers), '"headers" must be an object of values by name, or Headers of fetch.');
  const entries: Iterable<unknown> = Symbol.iterator in headers ? headers : Object.entries(headers);
  const result: Record<string, string> = {};
  for (const entry of entries) {
    requireThat(Array.isArray(entry), '"headers" must consist of pairs of a name and a value.');
    const [name, value] = entry as readonly unknown[];
    if (value === undefined) continue;
    requireThat(typeof name === 'string', '"headers" must consist of pairs of a name and a value.');
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    requireThat(
      values.every((one) => typeof one === 'string'),
      `the header "${name}" must be a string or a list of strings.`,
    );
    const key = name.toLowerCase();
    const text = values.join(', ');
    result[key] = result[key] === undefined ? text : `${result[key]}, ${text}`;
  }
  return result;
}
