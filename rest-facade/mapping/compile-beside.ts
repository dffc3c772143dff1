import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import { responseName } from './change-selection.ts';
import { useOf } from './directive-values.ts';
import type { ProblemReport } from './problem.ts';
import type { Step } from './result-step.ts';

/** What an answer shows, with what stands beside its object. */
export interface ShownFields {
  readonly selectionSet: SelectionSetNode;
  /** Response names of those beside. */
  readonly beside: readonly string[];
}

/** Takes what is marked `@beside`, next to the result, into what the result shows. */
export function compileBeside(steps: readonly Step[], own: SelectionSetNode, report: ProblemReport): ShownFields {
  const nodes = (steps.at(-2)?.node.selectionSet?.selections ?? []).filter(
    (selection): selection is FieldNode => selection.kind === Kind.FIELD && useOf(selection, 'beside') !== undefined,
  );
  const shown = new Set(own.selections.map((selection) => (selection.kind === Kind.FIELD ? responseName(selection) : '')));
  for (const node of nodes) {
    const name = responseName(node);
    if (shown.has(name)) report.at(node, `The answer has two fields named ${name}.`, 'Give one of them an alias.');
    if (node.selectionSet !== undefined) report.at(node, '@beside is for plain values.', 'Put @result on the object that is the answer.');
  }
  return { selectionSet: { ...own, selections: [...own.selections, ...nodes] }, beside: nodes.map(responseName) };
}
