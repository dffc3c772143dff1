import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { CostModel } from './cost-model.ts';
import { fragmentsOf } from '../select-operation.ts';
import { compileInputCost } from './input-cost.ts';
import { amountAt, type CostValues, type Size } from './list-size.ts';

/** A result of an execution, with the variables of its operation. */
export interface CountedResponse {
  readonly data: unknown;
  readonly variables: CostValues;
  /** Maps response keys of the operation to response keys of the result, where the two differ. */
  readonly aliases?: ReadonlyMap<string, string> | undefined;
}

/** Computes the cost of a result. @unit points */
export type ActualCost = (counted: CountedResponse) => number;

/** A selection set with its type. A key has several of them when fields with one response key were merged. */
interface Selections {
  readonly set: SelectionSetNode;
  readonly type: GraphQLCompositeType;
}

/** Cost of all fields with one response key. */
interface KeyCost {
  /** Weight of each item. */
  weight: number;
  /** Amounts that are added once for each parent object. */
  readonly once: Size[];
  readonly below: Selections[];
  /** Whether the key can also be `__typename`, in objects of another type. */
  mayBeTypename: boolean;
}

/** Costs of the fields of an object, by response key. */
type ObjectCost = ReadonlyMap<string, KeyCost>;

/**
 * Compiles the cost of results: the formula of the estimate, applied to the items that a result has. If the type of an object is unknown,
 * the most expensive type is assumed, as in the estimate. The actual cost is therefore never above the estimate, unless lists are longer
 * than assumed.
 */
export function compileActualCost(document: DocumentNode, operation: OperationDefinitionNode, model: CostModel): ActualCost {
  const fragments = fragmentsOf(document);
  const known = new Map<KeyCost, ObjectCost>();
  const root = model.schema.getRootType(operation.operation);
  const whole = isCompositeType(root) ? merge([{ set: operation.selectionSet, type: root }], fragments, model) : undefined;

  function below(field: KeyCost): ObjectCost {
    let fields = known.get(field);
    if (fields === undefined) {
      fields = merge(field.below, fragments, model);
      known.set(field, fields);
    }
    return fields;
  }

  function costOfObject(fields: ObjectCost, object: object, counted: CountedResponse): number {
    let sum = 0;
    for (const [key, field] of fields) {
      const name = counted.aliases?.get(key) ?? key;
      if (!Object.hasOwn(object, name)) continue; // The field was skipped, or belongs to another type.
      const value = (object as Readonly<Record<string, unknown>>)[name];
      if (field.mayBeTypename && typeof value === 'string' && typeNamed(model, value) !== undefined) continue;
      for (const size of field.once) sum += amountAt(size, counted.variables);
      sum += costOfValue(field, value, counted);
    }
    return sum;
  }

  function costOfValue(field: KeyCost, value: unknown, counted: CountedResponse): number {
    if (value === null || value === undefined) return 0;
    if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + costOfValue(field, item, counted), 0);
    if (typeof value !== 'object' || field.below.length === 0) return field.weight;
    return field.weight + costOfObject(below(field), value, counted);
  }

  return (counted) => {
    const { data } = counted;
    return whole === undefined || typeof data !== 'object' || data === null ? 0 : costOfObject(whole, data, counted);
  };
}

/** Merges fields with equal response keys. */
function merge(selections: readonly Selections[], fragments: ReadonlyMap<string, FragmentDefinitionNode>, model: CostModel): ObjectCost {
  const merged = new Map<string, KeyCost>();
  const typenames = new Set<string>();
  const seen = new Set<FragmentDefinitionNode>();

  function collect({ set, type }: Selections): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) add(selection, type);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect({ set: selection.selectionSet, type: typeNamed(model, selection.typeCondition?.name.value) ?? type });
      } else {
        const fragment = fragments.get(selection.name.value);
        if (fragment === undefined || seen.has(fragment)) continue;
        seen.add(fragment);
        collect({ set: fragment.selectionSet, type: typeNamed(model, fragment.typeCondition.name.value) ?? type });
      }
    }
  }

  function add({ alias, name, arguments: given, selectionSet }: FieldNode, parent: GraphQLCompositeType): void {
    const field = model.field(parent, name.value);
    const key = alias?.value ?? name.value;
    if (name.value === '__typename') typenames.add(key);
    if (field === undefined) return; // Introspection costs nothing.
    let cost = merged.get(key);
    if (cost === undefined) {
      const inputs = given?.map((argument) => [field.inputs.get(argument.name.value), argument.value] as const) ?? [];
      const once = inputs.flatMap(([input, value]) => (input === undefined ? [] : [compileInputCost(input, value)]));
      cost = { weight: field.weight, once: [field.base, ...once], below: [], mayBeTypename: false };
      merged.set(key, cost);
    }
    cost.weight = Math.min(cost.weight, field.weight);
    if (selectionSet !== undefined && field.type !== undefined) cost.below.push({ set: selectionSet, type: field.type });
  }

  for (const each of selections) collect(each);
  for (const [key, cost] of merged) cost.mayBeTypename = typenames.has(key);
  return merged;
}

function typeNamed({ schema }: CostModel, name: string | undefined): GraphQLCompositeType | undefined {
  const type = name === undefined ? undefined : schema.getType(name);
  return isCompositeType(type) ? type : undefined;
}
