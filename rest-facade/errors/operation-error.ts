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

/** Codes that blame the operation. It is ours, not the caller's, so the mistake is ours. */
const OUR_MISTAKES: ReadonlySet<ErrorCode> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'INTROSPECTION_DISABLED',
  'METHOD_NOT_ALLOWED',
]);

const UNAVAILABLE_MESSAGE = 'A part of the service that this answer needs is not available. Try again later.';
const INPUT_MESSAGE = 'The request has a value that is not accepted here.';

const NO_PARAMETERS: ReadonlySet<string> = new Set();

/**
 * The refusal that stands for all errors of an operation that was executed.
 *
 * @param parameters of the query string; that which the message begins with is told as the one at fault
 */
export function toExecutionError(
  errors: readonly OperationError[],
  method: RestMethod,
  parameters: ReadonlySet<string> = NO_PARAMETERS,
): GatewayError {
  const worst = worstOf(errors.map(({ message, extensions }) => ({ message, extensions, code: toRestCode(extensions, method) })));
  const code = worst?.code ?? 'INTERNAL_SERVER_ERROR';
  // In development a subgraph's own message passes whatever its code is.
  const message = worst?.extensions.subgraph === undefined ? safeMessage(code, worst?.message ?? '') : worst.message;
  const details = code === 'INVALID_PARAMETER' ? parameterIn(message, parameters) : [];
  return new GatewayError(code, message, { details, cause: new Error(errors.map(toLogLine).join('\n')) });
}

/** Nothing but its words says which argument a subgraph refuses: "`after` is not a cursor of this list." */
function parameterIn(message: string, parameters: ReadonlySet<string>): readonly ErrorDetail[] {
  const field = /^`([^`]+)`/.exec(message)?.[1];
  return field !== undefined && parameters.has(field) ? [{ field, message }] : [];
}

/** What the log reads; clients read the catalogue's words. */
function toLogLine({ message, path = [], extensions }: OperationError): string {
  return `${extensions.code} at ${path.join('.') || 'the operation'}: ${message}`;
}

/** An operation that was refused before it ran, in the words of REST: its own speak of variables and types. */
export function toRestError(error: GatewayError, method: RestMethod): GatewayError {
  const code = toRestCode({ code: error.code }, method);
  const isOfVariables = error.code === 'BAD_USER_INPUT';
  if (code === error.code && !isOfVariables) return error;
  return new GatewayError(code, isOfVariables ? INPUT_MESSAGE : safeMessage(code, error.message), { cause: error });
}

/**
 * A code that is not of the catalogue was set on purpose by a subgraph of a team of its own: one that has no code comes
 * as `INTERNAL_SERVER_ERROR`. So its message was written for the caller, and is the caller's business. By GET, all that a
 * caller sends is parameters.
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

/** The refusal that stands for the failures a payload lists; undefined where it lists none. */
export function toUserError(list: unknown, mapping: UserErrorsMapping): GatewayError | undefined {
  const errors = Array.isArray(list) ? list.map((entry) => readUserError(entry, mapping)) : [];
  const worst = worstOf(errors);
  if (worst === undefined) return undefined;
  const details = errors.filter(({ field }) => field !== '').map(({ field, message }): ErrorDetail => ({ field, message }));
  return new GatewayError(worst.code, worst.message, { details });
}

/** Codes that are not of the catalogue, or no caller's mistake, are a caller's mistake all the same: the payload says so. */
function readUserError(entry: unknown, mapping: UserErrorsMapping): UserError {
  const { field, message, code } = (typeof entry === 'object' && entry !== null ? entry : {}) as Readonly<Record<string, unknown>>;
  const isRefusal = isErrorCode(code) && statusOf(code) >= 400 && statusOf(code) < 500;
  return {
    field: typeof field === 'string' ? toRestName(field, mapping) : '',
    message: typeof message === 'string' ? message : 'The request cannot be fulfilled.',
    code: isRefusal ? code : 'BAD_USER_INPUT',
  };
}

/** `input.email` to `email`, `id` to `user_id`: arguments are no concern of REST clients. */
function toRestName(field: string, { names, bodyNames }: UserErrorsMapping): string {
  const [head = '', ...rest] = field.split('.');
  const name = names.get(head);
  if (name === undefined) return field;
  if (name !== '') return [name, ...rest].join('.');
  const [first = '', ...deeper] = rest;
  return [bodyNames.get(first) ?? first, ...deeper].join('.');
}
