import { Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import type { Fragments } from './inline-fragments.ts';
import type { ProblemReport } from './problem.ts';

/** Far more than a gateway lets through, and little enough to be written out. @unit selections */
const MAX_SELECTIONS = 100_000;

/** Whether an operation can be written out without its fragments: thirty that each spread the next one twice are a thousand million. */
export function isExpandable(operation: OperationDefinitionNode, fragments: Fragments, report: ProblemReport): boolean {
  const sizes = new Map<string, number>();
  const sizeOf = ({ selections }: SelectionSetNode): number => {
    let size = selections.length;
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) size += fragmentSize(selection.name.value);
      else if (selection.selectionSet !== undefined) size += sizeOf(selection.selectionSet);
    }
    return size;
  };
  // Each fragment is measured once, however often it is spread.
  const fragmentSize = (name: string): number => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const fragment = fragments.get(name);
    const size = fragment === undefined ? 0 : sizeOf(fragment.selectionSet);
    sizes.set(name, size);
    return size;
  };
  if (sizeOf(operation.selectionSet) <= MAX_SELECTIONS) return true;
  report.at(
    operation,
    `${operation.name?.value ?? 'The operation'} selects more than ${MAX_SELECTIONS} fields.`,
    'Select what the answer shows.',
  );
  return false;
}
