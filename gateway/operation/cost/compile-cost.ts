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
import { argumentOf } from '../directives.ts';
import { type Amount, amountOf, createCostProgram, NOTHING, ONE } from './cost-program.ts';
import type { CostModel, FieldCost } from './cost-model.ts';
import { fragmentsOf } from './fragments-of.ts';
import { compileInputCost } from './input-cost.ts';
import { compileListSize, type CostValues, type ListSizeSettings, type Size } from './list-size.ts';

/** What an operation costs, as far as it can be told before it runs. @unit points */
export interface OperationCost {
  /** The variables that have a say. Without any it is the same for all requests. */
  readonly variables: ReadonlySet<string>;
  /**
   * @param values of the variables, coerced; without them, with pages as large as they may be
   * @throws OperationRefused `BAD_USER_INPUT` for a page that the limits, or the schema, do not allow
   */
  estimate(values: CostValues): number;
}

/** What a selection set costs: by itself, and what of it is in lists whose number of items the field above tells, for one item. */
interface SelectionCost {
  readonly rest: Amount;
  readonly perItem: Amount;
}

const NO_FIELDS: readonly string[] = [];

/**
 * Compiles the cost of a valid operation: every field its weight, a list as often as it has items; selections that variables skip count.
 * A fragment is compiled once, however often it is spread, and computed once for a request; a fragment within itself costs nothing.
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

  function weighSelections({ selections }: SelectionSetNode, parent: GraphQLCompositeType, sized: readonly string[]): SelectionCost {
    const rest: Amount[] = [];
    const perItem: Amount[] = [];
    for (const selection of selections) {
      if (isNever(selection.directives)) continue;
      if (selection.kind === Kind.FIELD) {
        const field = model.field(parent, selection.name.value);
        if (field === undefined) continue; // introspection
        const isSized = field.listDepth > 0 && sized.includes(selection.name.value);
        (isSized ? perItem : rest).push(weighField(selection, field, isSized));
      } else {
        const inside = selection.kind === Kind.FRAGMENT_SPREAD ? weighSpread(selection, sized) : weighInline(selection, parent, sized);
        rest.push(inside.rest);
        perItem.push(inside.perItem);
      }
    }
    return { rest: program.sum(rest), perItem: program.sum(perItem) };
  }

  function weighInline(
    { typeCondition, selectionSet }: InlineFragmentNode,
    parent: GraphQLCompositeType,
    sized: readonly string[],
  ): SelectionCost {
    return weighSelections(selectionSet, typeCondition === undefined ? parent : typeNamed(typeCondition.name.value), sized);
  }

  function weighSpread({ name }: FragmentSpreadNode, sized: readonly string[]): SelectionCost {
    const key = [name.value, ...sized].join(' ');
    const before = known.get(key);
    if (before !== undefined) return before;
    const fragment = fragments.get(name.value);
    const nothing = { rest: NOTHING, perItem: NOTHING };
    if (fragment === undefined) return nothing;
    known.set(key, nothing); // while it is being weighed
    const cost = weighSelections(fragment.selectionSet, typeNamed(fragment.typeCondition.name.value), sized);
    known.set(key, cost);
    return cost;
  }

  /** @param isSized whether the field above multiplies it */
  function weighField({ arguments: given, selectionSet }: FieldNode, field: FieldCost, isSized: boolean): Amount {
    const sized = field.listSize?.sizedFields ?? NO_FIELDS;
    const size = compileListSize(field, given, settings, onVariable);
    const below = selectionSet === undefined || field.type === undefined ? undefined : weighSelections(selectionSet, field.type, sized);
    const weight = amountOf(field.weight);
    const item = below === undefined ? weight : program.sum([weight, below.rest, program.times(below.perItem, size)]);
    const items = itemsOf(field, sized.length > 0 ? settings.assumedListSize : size, isSized);
    return program.sum([amountOf(field.base), program.times(item, items), ...weighArguments(given, field)]);
  }

  /** Of the outer list; lists within it are reckoned as those that nothing is known of. */
  function itemsOf({ listDepth }: FieldCost, size: Size, isSized: boolean): Size {
    if (listDepth === 0) return 1;
    const within = settings.assumedListSize ** (listDepth - 1);
    if (isSized) return within;
    if (typeof size === 'number') return size * within;
    return within === 1 ? size : (values) => size(values) * within;
  }

  function weighArguments(given: FieldNode['arguments'], { inputs }: FieldCost): readonly Amount[] {
    if (given === undefined || inputs.size === 0) return [];
    return given.flatMap(({ name, value }) => {
      const cost = inputs.get(name.value);
      return cost === undefined ? [] : program.times(ONE, compileInputCost(cost, value, onVariable));
    });
  }

  function typeNamed(name: string): GraphQLCompositeType {
    const type = model.schema.getType(name);
    if (isCompositeType(type)) return type;
    throw new TypeError(`"${name}" is no type that fields can be selected of.`);
  }

  const root = model.schema.getRootType(operation.operation);
  const total = isCompositeType(root) ? weighSelections(operation.selectionSet, root, NO_FIELDS).rest : NOTHING;
  return { variables, estimate: program.finish(total) };
}

/** By what is written, not by a variable. */
function isNever(directives: readonly DirectiveNode[] | undefined): boolean {
  return (
    directives?.some((directive) => {
      const condition = argumentOf(directive, 'if');
      if (condition?.kind !== Kind.BOOLEAN) return false;
      return (directive.name.value === 'skip' && condition.value) || (directive.name.value === 'include' && !condition.value);
    }) === true
  );
}
