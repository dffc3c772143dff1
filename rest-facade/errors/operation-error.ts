import type { OperationError } from '../../gateway/index.ts';
import {
  type ErrorCode,
  type ErrorDetail,
  EVENTS_MISSED_MESSAGE,
  GatewayError,
  INTERNAL_ERROR_MESSAGE,
  isErrorCode,
  statusOf,
} from '../../gateway/platform/errors.ts';
import type { RestMethod } from '../compile/documents/directives.ts';
import type { UserErrorsMapping } from '../compile/result/user-errors.ts';
import { worstOf } from './precedence.ts';

/**
 * Error codes that mean an invalid operation. The operation belongs to the REST documents and not to the caller, so these errors are
 * internal errors.
 */
const OUR_MISTAKES: ReadonlySet<ErrorCode> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'INTROSPECTION_DISABLED',
  'METHOD_NOT_ALLOWED',
]);

const UNAVAILABLE_MESSAGE = 'A service that the response depends on is not available. Try again later.';
const INPUT_MESSAGE = 'The request contains an invalid value.';

const NO_PARAMETERS: ReadonlySet<string> = new Set();

/**
 * Converts the errors of an executed operation to one error response.
 *
 * @param parameters names of query parameters; if the message starts with one of them, the error details name it
 */
export function toExecutionError(
  errors: readonly OperationError[],
  method: RestMethod,
  parameters: ReadonlySet<string> = NO_PARAMETERS,
): GatewayError {
  const worst = worstOf(errors.map(({ message, extensions }) => ({ message, extensions, code: toRestCode(extensions, method) })));
  const code = worst?.code ?? 'INTERNAL_SERVER_ERROR';
  // In development, messages of subgraphs are exposed whatever their code is.
  const message = worst?.extensions.subgraph === undefined ? safeMessage(code, worst?.message ?? '') : worst.message;
  const details = code === 'INVALID_PARAMETER' ? parameterIn(message, parameters) : [];
  return new GatewayError(code, message, { details, cause: new Error(errors.map(toLogLine).join('\n')) });
}

/**
 * Extracts the invalid argument from the message of a subgraph, because no other part of the error names it: "`after` is not a cursor of
 * this list."
 */
function parameterIn(message: string, parameters: ReadonlySet<string>): readonly ErrorDetail[] {
  const field = /^`([^`]+)`/.exec(message)?.[1];
  return field !== undefined && parameters.has(field) ? [{ field, message }] : [];
}

/** Formats an error for the log. Clients get the message of the error catalog instead. */
function toLogLine({ message, path = [], extensions }: OperationError): string {
  return `${extensions.code} at ${path.join('.') || 'the operation'}: ${message}`;
}

/** Converts an error before execution to a REST error, because its message may name variables and types of the graph. */
export function toRestError(error: GatewayError, method: RestMethod): GatewayError {
  const code = toRestCode({ code: error.code }, method);
  const isOfVariables = error.code === 'BAD_USER_INPUT';
  if (code === error.code && !isOfVariables) return error;
  return new GatewayError(code, isOfVariables ? INPUT_MESSAGE : safeMessage(code, error.message), { cause: error });
}

/**
 * Returns the REST code of an error. A code outside the catalog was set deliberately by the team of a subgraph, because an error without a
 * code arrives as `INTERNAL_SERVER_ERROR`. Its message is therefore meant for the caller. With GET, all input consists of parameters.
 */
function toRestCode({ code, subgraph }: Pick<OperationError['extensions'], 'code' | 'subgraph'>, method: RestMethod): ErrorCode {
  if (subgraph !== undefined) return 'INTERNAL_SERVER_ERROR';
  if (!isErrorCode(code)) return 'BAD_REQUEST';
  if (OUR_MISTAKES.has(code) || statusOf(code) < 400) return 'INTERNAL_SERVER_ERROR';
  return code === 'BAD_USER_INPUT' && method === 'GET' ? 'INVALID_PARAMETER' : code;
}

function safeMessage(code: ErrorCode, message: string): string {
  if (code === 'EVENTS_MAY_BE_MISSED') return EVENTS_MISSED_MESSAGE;
  const status = statusOf(code);
  if (status === 503) return UNAVAILABLE_MESSAGE;
  return status >= 500 || message === '' ? INTERNAL_ERROR_MESSAGE : message;
}

interface UserError {
  readonly field: string;
  readonly message: string;
  readonly code: ErrorCode;
}

/** Converts the business errors of a payload to one error response. Returns undefined if the payload lists none. */
export function toUserError(list: unknown, mapping: UserErrorsMapping): GatewayError | undefined {
  const errors = Array.isArray(list) ? list.map((entry) => readUserError(entry, mapping)) : [];
  const worst = worstOf(errors);
  if (worst === undefined) return undefined;
  const details = errors.filter(({ field }) => field !== '').map(({ field, message }): ErrorDetail => ({ field, message }));
  return new GatewayError(worst.code, worst.message, { details });
}

/** Reads one business error. A code that is not in the catalog, or not a 4xx code, becomes `BAD_USER_INPUT`. */
function readUserError(entry: unknown, mapping: UserErrorsMapping): UserError {
  const { field, message, code } = (typeof entry === 'object' && entry !== null ? entry : {}) as Readonly<Record<string, unknown>>;
  const isRejection = isErrorCode(code) && statusOf(code) >= 400 && statusOf(code) < 500;
  return {
    field: toRestName(fieldPathOf(field), mapping),
    message: typeof message === 'string' ? message : 'The request cannot be fulfilled.',
    code: isRejection ? code : 'BAD_USER_INPUT',
  };
}

/** Returns the path of a business error, which graphs write as dotted text or as a list of names. */
function fieldPathOf(field: unknown): string {
  if (Array.isArray(field)) return field.filter((part) => typeof part === 'string' || typeof part === 'number').join('.');
  return typeof field === 'string' ? field : '';
}

/** Converts argument paths to client-facing names: `input.email` to `email`, `id` to `user_id`. */
function toRestName(field: string, { names, bodyNames }: UserErrorsMapping): string {
  const parts = field.split('.');
  // The longest known path decides: `input.title` can be a variable, while `input` is an object literal.
  for (let count = parts.length; count > 0; count -= 1) {
    const name = names.get(parts.slice(0, count).join('.'));
    if (name === undefined) continue;
    const rest = parts.slice(count);
    if (name !== '') return [name, ...rest].join('.');
    const [first = '', ...deeper] = rest;
    return [bodyNames.get(first) ?? first, ...deeper].join('.');
  }
  return field;
}
