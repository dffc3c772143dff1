import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type InlineFragmentNode,
  type FragmentSpreadNode,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { argumentOf } from '../executable-directives.ts';
import { type Amount, amountOf, createCostProgram, NOTHING, ONE } from './cost-program.ts';
import type { CostModel, FieldCost } from './cost-model.ts';
import { fragmentsOf } from '../select-operation.ts';
import { compileInputCost } from './input-cost.ts';
import { compileListSize, type CostValues, type ListSizeSettings, type Size } from './list-size.ts';

/** Estimated cost of an operation before it runs. @unit points */
export interface OperationCost {
  /** Variables that affect the cost. If the set is empty, the cost is the same for all requests. */
  readonly variables: ReadonlySet<string>;
  /**
   * Estimates the cost.
   *
   * @param values coerced variables; undefined assumes the largest allowed pages
   * @throws OperationRejected `BAD_USER_INPUT` for a page size that the limits or the schema do not allow
   */
  estimate(values: CostValues): number;
}

/**
 * Cost of a selection set. `perItem` is the part that the list size of the parent field multiplies, for one item; `rest` is everything
 * else.
 */
interface SelectionCost {
  readonly rest: Amount;
  readonly perItem: Amount;
}

const NO_FIELDS: readonly string[] = [];

/**
 * Compiles the cost of a valid operation: the weight of every field, multiplied by the number of items for lists. Selections that variables
 * skip are counted. A fragment is compiled once and computed once per request, regardless of the number of its spreads. A fragment within
 * itself costs nothing.
 */
export function compileCost(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  model: CostModel,
  settings: ListSizeSettings,
): OperationCost {
  const fragments = fragmentsOf(document);
  const known = new Map<string, SelectionCost>();
  const variables = new Set<string>();
  const program = createCostProgram();
  const onVariable = (name: string): void => void variables.add(name);

  function costOfSelections({ selections }: SelectionSetNode, parent: GraphQLCompositeType, sized: readonly string[]): SelectionCost {
    const rest: Amount[] = [];
    const perItem: Amount[] = [];
    for (const selection of selections) {
      if (isNever(selection.directives)) continue;
      if (selection.kind === Kind.FIELD) {
        const field = model.field(parent, selection.name.value);
        if (field === undefined) continue; // Introspection costs nothing.
        const isSized = field.listDepth > 0 && sized.includes(selection.name.value);
        (isSized ? perItem : rest).push(costOfField(selection, field, isSized));
      } else {
        const inside = selection.kind === Kind.FRAGMENT_SPREAD ? costOfSpread(selection, sized) : costOfInline(selection, parent, sized);
        rest.push(inside.rest);
        perItem.push(inside.perItem);
      }
    }
    return { rest: program.sum(rest), perItem: program.sum(perItem) };
  }

  function costOfInline(
    { typeCondition, selectionSet }: InlineFragmentNode,
    parent: GraphQLCompositeType,
    sized: readonly string[],
  ): SelectionCost {
    return costOfSelections(selectionSet, typeCondition === undefined ? parent : typeNamed(typeCondition.name.value), sized);
  }

  function costOfSpread({ name }: FragmentSpreadNode, sized: readonly string[]): SelectionCost {
    const key = [name.value, ...sized].join(' ');
    const before = known.get(key);
    if (before !== undefined) return before;
    const fragment = fragments.get(name.value);
    const nothing = { rest: NOTHING, perItem: NOTHING };
    if (fragment === undefined) return nothing;
    known.set(key, nothing); // Ends a cycle of fragments while this fragment is being compiled.
    const cost = costOfSelections(fragment.selectionSet, typeNamed(fragment.typeCondition.name.value), sized);
    known.set(key, cost);
    return cost;
  }

  /** @param isSized whether the list size of the parent field multiplies this field */
  function costOfField({ arguments: given, selectionSet }: FieldNode, field: FieldCost, isSized: boolean): Amount {
    const sized = field.listSize?.sizedFields ?? NO_FIELDS;
    const size = compileListSize(field, given, settings, onVariable);
    const below = selectionSet === undefined || field.type === undefined ? undefined : costOfSelections(selectionSet, field.type, sized);
    const weight = amountOf(field.weight);
    const item = below === undefined ? weight : program.sum([weight, below.rest, program.times(below.perItem, size)]);
    const items = itemsOf(field, sized.length > 0 ? settings.assumedListSize : size, isSized);
    return program.sum([amountOf(field.base), program.times(item, items), ...costOfArguments(given, field)]);
  }

  /** Returns the number of items of the outer list, multiplied by the assumed size of each nested list. */
  function itemsOf({ listDepth }: FieldCost, size: Size, isSized: boolean): Size {
    if (listDepth === 0) return 1;
    const within = settings.assumedListSize ** (listDepth - 1);
    if (isSized) return within;
    if (typeof size === 'number') return size * within;
    return within === 1 ? size : (values) => size(values) * within;
  }

  function costOfArguments(given: FieldNode['arguments'], { inputs }: FieldCost): readonly Amount[] {
    if (given === undefined || inputs.size === 0) return [];
    return given.flatMap(({ name, value }) => {
      const cost = inputs.get(name.value);
      return cost === undefined ? [] : program.times(ONE, compileInputCost(cost, value, onVariable));
    });
  }

  function typeNamed(name: string): GraphQLCompositeType {
    const type = model.schema.getType(name);
    if (isCompositeType(type)) return type;
    throw new TypeError(`"${name}" is not a type with fields.`);
  }

  const root = model.schema.getRootType(operation.operation);
  const total = isCompositeType(root) ? costOfSelections(operation.selectionSet, root, NO_FIELDS).rest : NOTHING;
  return { variables, estimate: program.finish(total) };
}

/** Whether a literal (not a variable) always excludes the selection. */
export function isNever(directives: readonly DirectiveNode[] | undefined): boolean {
  return (
    directives?.some((directive) => {
      const condition = argumentOf(directive, 'if');
      if (condition?.kind !== Kind.BOOLEAN) return false;
      return (directive.name.value === 'skip' && condition.value) || (directive.name.value === 'include' && !condition.value);
    }) === true
  );
}
