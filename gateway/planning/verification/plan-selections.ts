import type { FederatedGraph } from '../../supergraph/federated-graph.ts';
import type { PlanField, PlanSelection } from '../operation-plan.ts';

/** Reads the selections of a plan. Equal selections are read once. */
export interface PlanSelections {
  /** The same number for equal selections. */
  idOf(selections: readonly PlanSelection[]): number;
  /** Fields that a subgraph is asked for about values of an object type. */
  fieldsFor(selections: readonly PlanSelection[], subgraph: string, type: string): readonly PlanField[];
}

export function createPlanSelections(graph: FederatedGraph): PlanSelections {
  const ids = new Map<string, number>();
  const known = new Map<readonly PlanSelection[], number>();
  const fieldsByUse = new Map<string, readonly PlanField[]>();

  function idOf(selections: readonly PlanSelection[]): number {
    let id = known.get(selections);
    if (id !== undefined) return id;
    const text = selections.map((selection) => {
      if (selection.kind === 'fragment') return `...${selection.type}{${idOf(selection.selections)}}`;
      return `${selection.key}:${selection.name}${selection.selections === undefined ? '' : `{${idOf(selection.selections)}}`}`;
    });
    const content = text.join(' ');
    id = ids.get(content) ?? ids.size;
    ids.set(content, id);
    known.set(selections, id);
    return id;
  }

  function fieldsFor(selections: readonly PlanSelection[], subgraph: string, type: string): readonly PlanField[] {
    const use = `${idOf(selections)} ${type} ${subgraph}`;
    let fields = fieldsByUse.get(use);
    if (fields === undefined) {
      fields = selections.flatMap((selection): readonly PlanField[] => {
        if (selection.kind === 'field') return [selection];
        return doesApply(graph, selection.type, subgraph, type) ? fieldsFor(selection.selections, subgraph, type) : [];
      });
      fieldsByUse.set(use, fields);
    }
    return fields;
  }

  return { idOf, fieldsFor };
}

/** Whether a subgraph applies a fragment to values of an object type. */
function doesApply({ types }: FederatedGraph, condition: string, subgraph: string, type: string): boolean {
  if (condition === type) return true;
  const declared = types.get(condition);
  const here = declared?.subgraphs.get(subgraph);
  // A subgraph that knows the interface as an object applies the fragment to all values of the interface.
  const possible = here === undefined || here.isInterfaceObject ? declared?.possibleTypes : here.possibleTypes;
  return possible?.has(type) === true;
}
