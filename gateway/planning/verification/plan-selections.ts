import type { FederatedGraph } from '../../supergraph/federated-graph.ts';
import type { PlanField, PlanFragment, PlanSelection } from '../operation-plan.ts';

/** Fields that are requested from a subgraph for values of some object types. Types with the same fields share one object. */
export interface RequestedFields {
  readonly id: number;
  readonly fields: readonly PlanField[];
}

/** Reads the selections of a plan. Equal selections are read once. */
export interface PlanSelections {
  /**
   * Returns the number of a selection set, based on all properties that its values can depend on. Requests to several subgraphs have equal
   * numbers if their selections and the possible types are the same.
   */
  idOf(selections: readonly PlanSelection[], subgraph: string): number;
  /** Returns the fields that are requested from a subgraph for values of an object type. */
  fieldsFor(selections: readonly PlanSelection[], subgraph: string, type: string): RequestedFields;
  /** Returns `fieldsFor` with fixed selections and subgraph, for calls with several types. */
  readerOf(selections: readonly PlanSelection[], subgraph: string): (type: string) => RequestedFields;
  /** Returns the number of a set of types. Equal sets have equal numbers. */
  numberOf(types: ReadonlySet<string>): number;
}

/** Selections of one selection set, divided by the types that they apply to. */
interface DividedSelections {
  readonly fields: readonly PlanField[];
  /** Fragments on object types, by type. */
  readonly fragments: ReadonlyMap<string, readonly PlanFragment[]>;
  /** Fragments on interfaces and unions. */
  readonly abstract: readonly PlanFragment[];
  readonly byType: Map<string, RequestedFields>;
  /** Fields for values of types without a fragment. */
  plain: RequestedFields | undefined;
}

export function createPlanSelections(graph: FederatedGraph): PlanSelections {
  const numbers = new Map<string, number>();
  const setNumbers = new Map<ReadonlySet<string>, number>();
  const idsBySubgraph = new Map<string, Map<readonly PlanSelection[], number>>();
  const divided = new Map<string, Map<readonly PlanSelection[], DividedSelections>>();
  const requested = new Map<string, RequestedFields>();

  function numberOfText(text: string): number {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  }

  function numberOf(types: ReadonlySet<string>): number {
    let number = setNumbers.get(types);
    if (number === undefined) setNumbers.set(types, (number = numberOfText([...types].sort().join(' '))));
    return number;
  }

  function idOf(selections: readonly PlanSelection[], subgraph: string): number {
    const ids = entryOf(idsBySubgraph, subgraph);
    let id = ids.get(selections);
    if (id === undefined) ids.set(selections, (id = numberOfText(selections.map((selection) => textOf(selection, subgraph)).join('|'))));
    return id;
  }

  function textOf(selection: PlanSelection, subgraph: string): string {
    const inside = selection.selections === undefined ? '' : `{${idOf(selection.selections, subgraph)}}`;
    if (selection.kind === 'fragment') return `...${selection.type} ${isAbstract(selection) ? subgraph : ''}${inside}`;
    const { key, name, valueType } = selection;
    if (valueType === undefined) return `${key}:${name}`;
    const possible = graph.types.get(valueType)?.subgraphs.get(subgraph);
    const known = possible === undefined ? '' : `${possible.isInterfaceObject} ${numberOf(possible.possibleTypes)}`;
    return `${key}:${name}:${valueType} ${known}${inside}`;
  }

  function isAbstract({ type }: PlanFragment): boolean {
    return graph.types.get(type)?.kind !== 'object';
  }

  function fieldsFor(selections: readonly PlanSelection[], subgraph: string, type: string): RequestedFields {
    return readFields(divide(selections, subgraph), selections, subgraph, type);
  }

  function readerOf(selections: readonly PlanSelection[], subgraph: string): (type: string) => RequestedFields {
    const division = divide(selections, subgraph);
    return (type) => readFields(division, selections, subgraph, type);
  }

  function readFields(division: DividedSelections, selections: readonly PlanSelection[], subgraph: string, type: string): RequestedFields {
    const { fields, fragments, abstract, byType } = division;
    const isPlain = abstract.length === 0 && !fragments.has(type);
    const known = isPlain ? division.plain : byType.get(type);
    if (known !== undefined) return known;
    const applied = [
      ...(fragments.get(type) ?? []),
      ...abstract.filter((fragment) => fragment.type === type || doesApply(graph, fragment.type, subgraph, type)),
    ];
    const inside = applied.map((fragment) => fieldsFor(fragment.selections, subgraph, type));
    const text = `${idOf(selections, subgraph)} ${inside.map(({ id }) => id).join()}`;
    let found = requested.get(text);
    if (found === undefined) {
      found = { id: requested.size, fields: [...fields, ...inside.flatMap((each) => each.fields)] };
      requested.set(text, found);
    }
    if (isPlain) division.plain = found;
    else byType.set(type, found);
    return found;
  }

  function divide(selections: readonly PlanSelection[], subgraph: string): DividedSelections {
    const known = entryOf(divided, subgraph);
    let found = known.get(selections);
    if (found === undefined) {
      const fields = selections.filter((selection): selection is PlanField => selection.kind === 'field');
      const all = selections.filter((selection): selection is PlanFragment => selection.kind === 'fragment');
      const fragments = new Map<string, PlanFragment[]>();
      for (const fragment of all)
        if (!isAbstract(fragment)) fragments.set(fragment.type, [...(fragments.get(fragment.type) ?? []), fragment]);
      found = { fields, fragments, abstract: all.filter(isAbstract), byType: new Map(), plain: undefined };
      known.set(selections, found);
    }
    return found;
  }

  return { idOf, fieldsFor, readerOf, numberOf };
}

function entryOf<V>(map: Map<string, Map<readonly PlanSelection[], V>>, key: string): Map<readonly PlanSelection[], V> {
  let entry = map.get(key);
  if (entry === undefined) map.set(key, (entry = new Map()));
  return entry;
}

/** Whether a subgraph applies a fragment on an interface or a union to values of an object type. */
function doesApply({ types }: FederatedGraph, condition: string, subgraph: string, type: string): boolean {
  const declared = types.get(condition);
  const here = declared?.subgraphs.get(subgraph);
  // A subgraph that defines the interface as an object applies the fragment to all values of the interface.
  const possible = here === undefined || here.isInterfaceObject ? declared?.possibleTypes : here.possibleTypes;
  return possible?.has(type) === true;
}
