import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  print,
} from 'graphql';
import { OperationRefused } from '../operation/errors.ts';

/** Far more than anybody does at once, and few enough to be written out. @unit fields */
const MAX_FIELDS = 1_000;

/**
 * The fields of a mutation in the order in which they are to be done (GraphQL specification, 6.2.2), without fragments
 * around them: what a fragment depends on, its fields depend on.
 *
 * @throws OperationRefused when there are too many
 */
export function mutationFields(
  selectionSet: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly SelectionNode[] {
  const found: SelectionNode[] = [];
  const seen = new Set<string>();
  const collect = (selections: readonly SelectionNode[], around: readonly DirectiveNode[]): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        found.push(underConditions(selection, around));
        if (found.length > MAX_FIELDS) {
          throw new OperationRefused('GRAPHQL_VALIDATION_FAILED', [{ message: 'The operation selects too much.' }]);
        }
        continue;
      }
      const conditions = [...around, ...(selection.directives ?? []).filter(isCondition)];
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet.selections, conditions);
        continue;
      }
      // Spread again under the same conditions, a fragment adds nothing.
      const spread = [selection.name.value, ...new Set(conditions.map(print))].join(' ');
      const fragment = fragments.get(selection.name.value);
      if (fragment === undefined || seen.has(spread)) continue;
      seen.add(spread);
      collect(fragment.selectionSet.selections, conditions);
    }
  };
  collect(selectionSet.selections, []);
  return found;
}

/** A field under the conditions around it; those that it cannot have itself, because it has one of the name, stay around it. */
function underConditions(field: FieldNode, around: readonly DirectiveNode[]): SelectionNode {
  const own = [...(field.directives ?? [])];
  const outer: DirectiveNode[] = [];
  for (const condition of around) {
    const same = own.find(({ name }) => name.value === condition.name.value);
    if (same === undefined) own.push(condition);
    else if (print(same) !== print(condition)) outer.push(condition);
  }
  return outer.reduce<SelectionNode>(
    (inner, condition) => ({
      kind: Kind.INLINE_FRAGMENT,
      directives: [condition],
      selectionSet: { kind: Kind.SELECTION_SET, selections: [inner] },
    }),
    { ...field, directives: own },
  );
}

function isCondition({ name }: DirectiveNode): boolean {
  return name.value === 'skip' || name.value === 'include';
}
