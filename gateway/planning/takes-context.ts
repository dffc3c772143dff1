import { Kind, type SelectionSetNode } from 'graphql';
import type { FederatedField, FederatedGraph, FederatedType } from '../supergraph/federated-graph.ts';
import type { WantedScope } from './wanted-fields.ts';

const contextFields = new WeakMap<FederatedGraph, ReadonlySet<string>>();

function fieldsOf({ fields }: FederatedType): readonly FederatedField[] {
  return [...fields.values()];
}

/**
 * Lists the names of the fields that take an argument from a context in some subgraph (`@fromContext`), and of those that require other
 * fields, which may take one. Empty for a graph without contexts.
 */
function fieldsWithContext(graph: FederatedGraph): ReadonlySet<string> {
  let names = contextFields.get(graph);
  if (names === undefined) {
    const fields = [...graph.types.values()].flatMap(fieldsOf);
    const taking = fields.filter(({ subgraphs }) => [...subgraphs.values()].some(({ contextArguments }) => contextArguments.length > 0));
    const requiring = fields.filter(({ subgraphs }) => [...subgraphs.values()].some(({ requires }) => requires !== undefined));
    contextFields.set(graph, (names = new Set(taking.length === 0 ? [] : [...taking, ...requiring].map(({ name }) => name))));
  }
  return names;
}

/** Whether selection sets contain a field, at any depth, that may take an argument from a context. Fields are identified by name only. */
export function takesContext({ graph, fragments }: WantedScope, selectionSets: readonly SelectionSetNode[]): boolean {
  const names = fieldsWithContext(graph);
  if (names.size === 0) return false;
  const visited = new Set<string>();
  const takes = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.FIELD) {
        return names.has(selection.name.value) || (selection.selectionSet !== undefined && takes(selection.selectionSet));
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) return takes(selection.selectionSet);
      if (visited.has(selection.name.value)) return false;
      visited.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      return fragment !== undefined && takes(fragment.selectionSet);
    });
  return selectionSets.some(takes);
}
