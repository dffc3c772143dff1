import type { CanonicalVariable } from '../operation/canonical-operation.ts';
import { GatewayError } from '../platform/errors.ts';

/** What a variant of an operation was decided by. */
export interface VariantDecisions {
  /** By canonical name. */
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly labels: readonly string[];
}

/** No label has it in its name. */
const SEPARATOR = '|';

/**
 * Names the variant for a request: one digit for each condition, and the labels that are on.
 *
 * @param values by canonical name
 * @throws GatewayError `BAD_USER_INPUT` when a condition is null: a variable of type `Boolean` with a default may be, and then
 * fits neither directive (GraphQL specification, 5.8.5)
 */
export function variantKeyOf(
  conditions: readonly CanonicalVariable[],
  values: Readonly<Record<string, unknown>>,
  labels: readonly string[],
): string {
  let key = '';
  for (const { name, canonicalName } of conditions) {
    const value = Object.hasOwn(values, canonicalName) ? values[canonicalName] : undefined;
    if (typeof value !== 'boolean') {
      throw new GatewayError('BAD_USER_INPUT', `Variable "$${name}" decides what is skipped or included and must be true or false.`);
    }
    key += value ? '1' : '0';
  }
  return labels.length === 0 ? key : `${key}${SEPARATOR}${labels.join(SEPARATOR)}`;
}

/** @param conditions canonical names, in the order in which the key was made */
export function readVariantKey(conditions: readonly string[], key: string): VariantDecisions {
  const [digits = '', ...labels] = key.split(SEPARATOR);
  return { conditions: Object.fromEntries(conditions.map((name, index) => [name, digits[index] === '1'])), labels };
}
