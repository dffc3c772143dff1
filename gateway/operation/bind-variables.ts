import type { CanonicalOperation } from './canonical-operation.ts';

/** What a canonical operation is run with: the client's coerced variables under canonical names, and the literals. An absent one stays absent. */
export function bindVariables(
  { literals, variables }: Pick<CanonicalOperation, 'literals' | 'variables'>,
  coerced: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (variables.length === 0) return literals;
  const bound: Record<string, unknown> = { ...literals };
  for (const { name, canonicalName } of variables) {
    if (Object.hasOwn(coerced, name)) bound[canonicalName] = coerced[name];
  }
  return bound;
}
