import { type ErrorCode, type ErrorDetail, GatewayError, isErrorCode, statusOf } from '../../gateway/platform/errors.ts';
import type { UserErrorsMapping } from '../compile/result/user-errors.ts';
import { worstOf } from './precedence.ts';

interface UserError {
  readonly field: string;
  readonly message: string;
  readonly code: ErrorCode;
}

/** The refusal that stands for the failures a payload lists; undefined where it lists none. */
export function toBusinessRefusal(list: unknown, mapping: UserErrorsMapping): GatewayError | undefined {
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
