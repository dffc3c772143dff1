import type { CanonicalOperation, CanonicalVariable } from '../operation/normalize/canonical-operation.ts';
import { GatewayError } from '../platform/errors.ts';
import type { SharedOperation } from './shared-operation.ts';

/** What a variant of an operation was decided by. */
export interface VariantDecisions {
  /** By canonical name. */
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly labels: readonly string[];
  /** Whether what stands under `@defer` comes later. Absent where it comes with the rest. */
  readonly isDeferring?: boolean;
  /** What was decided about the caller's rights. See `OperationAuthorisation`. Absent where all that is asked for is granted. */
  readonly access?: string;
}

/** What a variant is chosen by. */
export interface VariantChoice {
  /** By canonical name. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
  readonly isDeferring: boolean;
  /** Empty where all that is asked for is granted. */
  readonly access: string;
}

/** No label has it in its name. */
const SEPARATOR = '|';

/** Stands between the conditions and those of `@defer`, where the answer may come in parts. */
const DEFERRING = 'd';

/** Stands before what was decided about the caller's rights, where something is not granted. */
const ACCESS = 'a';

/**
 * Names the variant for a request: one digit for each condition, the same for `@defer` where it counts, what was decided about the
 * caller's rights, and the labels that are on.
 *
 * @throws GatewayError `BAD_USER_INPUT` when a condition is null: a variable of type `Boolean` with a default may be, and then
 * fits none of the directives (GraphQL specification, 5.8.5)
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

/** @param byDefault what the directive takes when the client does not say */
function decide(
  { name, canonicalName }: CanonicalVariable,
  values: Readonly<Record<string, unknown>>,
  byDefault: boolean | undefined,
): '1' | '0' {
  const value = Object.hasOwn(values, canonicalName) ? values[canonicalName] : byDefault;
  if (typeof value === 'boolean') return value ? '1' : '0';
  const what = byDefault === undefined ? 'skipped or included' : 'deferred';
  throw new GatewayError('BAD_USER_INPUT', `Variable "$${name}" decides what is ${what} and must be true or false.`);
}

/** @param names of the variables, in the order in which the key was made */
export function readVariantKey(names: Pick<SharedOperation, 'conditions' | 'deferConditions'>, key: string): VariantDecisions {
  const [first = '', ...labels] = key.split(SEPARATOR);
  const [decided = '', rights] = first.split(ACCESS);
  const [digits = '', deferred] = decided.split(DEFERRING);
  const conditions = readDigits(names.conditions, digits);
  const access = rights === undefined ? {} : { access: rights };
  if (deferred === undefined) return { conditions, labels, ...access };
  return { conditions: { ...conditions, ...readDigits(names.deferConditions, deferred) }, labels, isDeferring: true, ...access };
}

function readDigits(names: readonly string[], digits: string): Readonly<Record<string, boolean>> {
  return Object.fromEntries(names.map((name, index) => [name, digits[index] === '1']));
}
