import type { CanonicalOperation, CanonicalVariable } from '../operation/normalize/canonical-operation.ts';
import { GatewayError } from '../platform/errors.ts';
import type { SharedOperation } from './shared-operation.ts';

/** Decisions that select a variant of an operation. */
export interface VariantDecisions {
  /** Values of the conditions, by canonical name. */
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly labels: readonly string[];
  /** Whether fragments with `@defer` are delivered later. Absent when they are part of the initial response. */
  readonly isDeferring?: boolean;
  /** Authorization decision about the caller. See `OperationAuthorization`. Absent when all requested fields are permitted. */
  readonly access?: string;
}

/** Request data that selects a variant. */
export interface VariantChoice {
  /** Variable values, by canonical name. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
  readonly isDeferring: boolean;
  /** Empty when all requested fields are permitted. */
  readonly access: string;
}

/** Separator that no label contains. */
const SEPARATOR = '|';

/** Marker between the conditions and those of `@defer`, for a response that can be delivered incrementally. */
const DEFERRING = 'd';

/** Marker before the authorization decision, for a caller without permission for all fields. */
const ACCESS = 'a';

/**
 * Returns the key of the variant for a request. It consists of one digit for each condition, one digit for each active `@defer`, the
 * authorization decision and the active labels.
 *
 * @throws GatewayError `BAD_USER_INPUT` when a condition is null. A `Boolean` variable with a default can be null, which is invalid for the
 * directives (GraphQL specification, 5.8.5)
 */
export function variantKeyOf(
  { conditions, defer }: Pick<CanonicalOperation, 'conditions' | 'defer'>,
  { values, labels, isDeferring, access }: VariantChoice,
): string {
  let key = '';
  for (const condition of conditions) key += decide(condition, values, undefined);
  if (isDeferring) {
    key += DEFERRING;
    for (const condition of defer?.variables ?? []) key += decide(condition, values, true);
  }
  if (access !== '') key += ACCESS + access;
  return labels.length === 0 ? key : `${key}${SEPARATOR}${labels.join(SEPARATOR)}`;
}

/** @param byDefault Value that the directive has when the client does not provide one. */
function decide(
  { name, canonicalName }: CanonicalVariable,
  values: Readonly<Record<string, unknown>>,
  byDefault: boolean | undefined,
): '1' | '0' {
  const value = Object.hasOwn(values, canonicalName) ? values[canonicalName] : byDefault;
  if (typeof value === 'boolean') return value ? '1' : '0';
  const what = byDefault === undefined ? '@skip or @include' : '@defer';
  throw new GatewayError('BAD_USER_INPUT', `Variable "$${name}" is used in ${what} and must be true or false.`);
}

/** Parses the key of a variant. @param names Names of the variables, in the order in which the key was created. */
export function readVariantKey(names: Pick<SharedOperation, 'conditions' | 'deferConditions'>, key: string): VariantDecisions {
  const [first = '', ...labels] = key.split(SEPARATOR);
  const [decided = '', permissions] = first.split(ACCESS);
  const [digits = '', deferred] = decided.split(DEFERRING);
  const conditions = readDigits(names.conditions, digits);
  const access = permissions === undefined ? {} : { access: permissions };
  if (deferred === undefined) return { conditions, labels, ...access };
  return { conditions: { ...conditions, ...readDigits(names.deferConditions, deferred) }, labels, isDeferring: true, ...access };
}

function readDigits(names: readonly string[], digits: string): Readonly<Record<string, boolean>> {
  return Object.fromEntries(names.map((name, index) => [name, digits[index] === '1']));
}
