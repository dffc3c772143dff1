import { Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import type { InputCost } from './cost-model.ts';
import type { CostValues, Size } from './list-size.ts';

/**
 * Compiles the cost of an argument: the weight of each value that is not null, plus the values inside objects. An unknown variable counts
 * as one empty value.
 *
 * @param onVariable called with each variable that affects the cost
 */
export function compileInputCost(cost: InputCost, node: ValueNode, onVariable?: (name: string) => void): Size {
  let isVarying = false;
  eachVariable(node, (name) => {
    isVarying = true;
    onVariable?.(name);
  });
  const read = (values: CostValues): unknown => {
    if (node.kind === Kind.VARIABLE) return values === undefined ? {} : ownValueOf(values, node.name.value);
    return valueFromASTUntyped(node, withoutPrototype(values));
  };
  return isVarying ? (values) => costOf(cost, read(values)) : costOf(cost, read(undefined));
}

function costOf(cost: InputCost, value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + costOf(cost, item), 0);
  let sum = cost.weight;
  if (typeof value !== 'object') return sum;
  for (const [name, below] of cost.fields()) sum += costOf(below, ownValueOf(value, name));
  return sum;
}

/** Reads an own property of a value. Fields and variables can have the names of inherited properties. */
function ownValueOf(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Copies the variables without a prototype, because `valueFromASTUntyped` also reads inherited properties. */
function withoutPrototype(values: CostValues): Record<string, unknown> {
  return Object.assign(Object.create(null) as Record<string, unknown>, values);
}

function eachVariable(node: ValueNode, visit: (name: string) => void): void {
  if (node.kind === Kind.VARIABLE) visit(node.name.value);
  else if (node.kind === Kind.LIST) for (const value of node.values) eachVariable(value, visit);
  else if (node.kind === Kind.OBJECT) for (const { value } of node.fields) eachVariable(value, visit);
}
