import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  isCompositeType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf } from '../select-operation.ts';
import { isNever } from './compile-cost.ts';
import { MAX_COST } from './cost-program.ts';
import type { CostModel, FieldCost } from './cost-model.ts';
import { amountAt, compileListSize, type CostValues, type ListSizeSettings } from './list-size.ts';

/** The list of an operation that contributes the most to its estimated cost, at all of its positions. */
export interface ExpensiveList {
  /** Schema coordinate of the field on which `@listSize` would define the size. */
  readonly coordinate: string;
  /** Estimated number of items in the whole response. @unit items */
  readonly items: number;
  /** Arguments that define the size, by `@listSize` or by their names. */
  readonly slicingArguments: readonly string[];
}

/** A list, with the cost of its items without the lists inside them. */
interface CountedList extends ExpensiveList {
  items: number;
  cost: number;
}

/** Selections of one parent type, with the number of parents in the response. */
interface Parents {
  readonly type: GraphQLCompositeType;
  readonly count: number;
  /** Lists of the selections whose size the parent field defines. */
  readonly sized: SizedLists | undefined;
  /** List whose items the parents are, or belong to. */
  readonly list: CountedList | undefined;
}

interface SizedLists {
  readonly names: readonly string[];
  readonly size: number;
  readonly field: FieldCost;
}

/** Maximum number of selections that are visited. A fragment is visited at each of its spreads. */
const MAX_VISITS = 10_000;

/**
 * Finds the list that contributes the most to an estimate. Used only for the message of a rejection: it visits every selection, unlike the
 * compiled estimate.
 *
 * @param values coerced variables, for which the estimate was computed
 * @returns undefined when the operation selects no list that costs points
 */
export function findMostExpensiveList(
  { document, operation }: { readonly document: DocumentNode; readonly operation: OperationDefinitionNode },
  values: CostValues,
  model: CostModel,
  settings: ListSizeSettings,
): ExpensiveList | undefined {
  const fragments = fragmentsOf(document);
  const lists = new Map<string, CountedList>();
  let visits = 0;

  function visitAll({ selections }: SelectionSetNode, parents: Parents): void {
    for (const selection of selections) visit(selection, parents);
  }

  function visit(selection: SelectionNode, parents: Parents): void {
    visits += 1;
    if (visits > MAX_VISITS || isNever(selection.directives)) return;
    if (selection.kind === Kind.FIELD) return visitField(selection, parents);
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    if (fragment !== undefined) visitAll(fragment.selectionSet, { ...parents, type: typeOf(fragment.typeCondition) ?? parents.type });
  }

  function visitField({ name, arguments: given, selectionSet }: FieldNode, { type, count, sized, list }: Parents): void {
    const field = model.field(type, name.value);
    if (field === undefined) return; // Introspection costs nothing.
    const { listDepth, weight, listSize } = field;
    const size = amountAt(
      compileListSize(field, given, settings, () => undefined),
      values,
    );
    const sizedBelow =
      listSize === undefined || listSize.sizedFields.length === 0 ? undefined : { names: listSize.sizedFields, size, field };
    const sizedBy = listDepth > 0 && sized?.names.includes(name.value) === true ? sized : undefined;
    const outer = sizedBy?.size ?? (sizedBelow === undefined ? size : settings.assumedListSize);
    const items = listDepth === 0 ? count : Math.min(MAX_COST, count * outer * settings.assumedListSize ** (listDepth - 1));
    const ownList = listDepth === 0 ? list : listOf(sizedBy?.field ?? field);
    if (ownList !== undefined) {
      if (listDepth > 0) ownList.items = Math.min(MAX_COST, ownList.items + items);
      ownList.cost += items * weight;
    }
    if (selectionSet !== undefined && field.type !== undefined) {
      visitAll(selectionSet, { type: field.type, count: items, sized: sizedBelow, list: ownList });
    }
  }

  function listOf({ coordinate, listSize }: FieldCost): CountedList {
    let list = lists.get(coordinate);
    if (list === undefined) {
      list = { coordinate, items: 0, cost: 0, slicingArguments: listSize?.slicingArguments ?? [] };
      lists.set(coordinate, list);
    }
    return list;
  }

  function typeOf(condition: NamedTypeNode | undefined): GraphQLCompositeType | undefined {
    const type = condition === undefined ? undefined : model.schema.getType(condition.name.value);
    return isCompositeType(type) ? type : undefined;
  }

  const root = model.schema.getRootType(operation.operation);
  if (isCompositeType(root)) visitAll(operation.selectionSet, { type: root, count: 1, sized: undefined, list: undefined });
  let most: CountedList | undefined;
  for (const list of lists.values()) if (list.cost > (most?.cost ?? 0)) most = list;
  return most === undefined ? undefined : { coordinate: most.coordinate, items: most.items, slicingArguments: most.slicingArguments };
}
