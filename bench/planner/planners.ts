import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph, operationFromDocument } from '@apollo/federation-internals';
import { type PlanNode, QueryPlanner, type QueryPlan } from '@apollo/query-planner';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  parse,
} from 'graphql';
import type { createQueryPlanner as CreateQueryPlanner } from '../../gateway/planning/create-query-planner.ts';
import type { OperationPlan } from '../../gateway/planning/operation-plan.ts';
import { checkFetches } from './check-fetches.ts';

// Uses the built planner. The TypeScript loader wraps each function, which makes nested functions slow.
const built = new URL('../../dist/gateway/planning/create-query-planner.js', import.meta.url).href;
const { createQueryPlanner } = (await import(built)) as { createQueryPlanner: typeof CreateQueryPlanner };

/** Cost of executing a plan. */
export interface PlanSize {
  readonly fetches: number;
  /** Number of sequential steps of fetches. */
  readonly waves: number;
}

/** Plans a document for one supergraph. @throws the errors of the planner */
export type Planning = (document: string) => PlanSize;

export type PlannerName = 'gatefold' | 'apollo';

export function createPlanning(name: PlannerName, supergraphSdl: string): Planning {
  return name === 'gatefold' ? planWithGatefold(supergraphSdl) : planWithApollo(supergraphSdl);
}

/**
 * Creates plans of Apollo whose sizes can be compared with those of Gatefold. The plans are checked, and mutations are planned separately
 * for each root field.
 *
 * @throws Error from the returned function when the plan cannot be executed
 */
export function createComparablePlanning(supergraphSdl: string): Planning {
  const supergraph = buildSupergraph(supergraphSdl);
  const schema = supergraph.apiSchema();
  const planner = new QueryPlanner(supergraph);
  return (document) => {
    const sizes = rootFieldsApart(parse(document)).map((each) => {
      const { node }: QueryPlan = planner.buildQueryPlan(operationFromDocument(schema, each));
      if (node === undefined) return NOTHING;
      checkFetches(supergraph, node as PlanNode);
      return sizeOfNode(node as PlanNode);
    });
    return sizes.reduce((sum, { fetches, waves }) => ({ fetches: sum.fetches + fetches, waves: sum.waves + waves }), NOTHING);
  };
}

function buildSupergraph(supergraphSdl: string): Supergraph {
  return Supergraph.build(supergraphSdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES });
}

function planWithGatefold(supergraphSdl: string): Planning {
  const planner = createQueryPlanner(supergraphSdl);
  return (document) => sizeOf(planner.plan({ document, conditions: {}, labels: [] }));
}

function sizeOf({ fetches }: OperationPlan): PlanSize {
  const waves: number[] = [];
  for (const { dependsOn } of fetches) waves.push(1 + Math.max(0, ...dependsOn.map((index) => waves[index] ?? 0)));
  return { fetches: fetches.length, waves: Math.max(0, ...waves) };
}

function planWithApollo(supergraphSdl: string): Planning {
  const supergraph = buildSupergraph(supergraphSdl);
  const schema = supergraph.apiSchema();
  const planner = new QueryPlanner(supergraph);
  return (document) => {
    const { node }: QueryPlan = planner.buildQueryPlan(operationFromDocument(schema, parse(document)));
    return node === undefined ? NOTHING : sizeOfNode(node as PlanNode);
  };
}

const NOTHING: PlanSize = { fetches: 0, waves: 0 };

/**
 * Splits a mutation into one mutation for each root field. A root field is executed completely before the next one starts (GraphQL
 * specification, 6.2.2). Apollo, however, fetches fields inside the first one after the effect of the second one.
 */
function rootFieldsApart(document: DocumentNode): readonly DocumentNode[] {
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation?.operation !== OperationTypeNode.MUTATION) return [document];
  const fields = new Map<string, FieldNode>();
  for (const field of fieldsAtRoot(document, operation.selectionSet)) {
    const key = field.alias?.value ?? field.name.value;
    const selections = [...(fields.get(key)?.selectionSet?.selections ?? []), ...(field.selectionSet?.selections ?? [])];
    fields.set(key, selections.length === 0 ? field : { ...field, selectionSet: { kind: Kind.SELECTION_SET, selections } });
  }
  const others = document.definitions.filter((definition) => definition !== operation);
  return [...fields.values()].map((field): DocumentNode => {
    const selectionSet: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [field] };
    const { kind, operation: type, variableDefinitions = [], directives = [] } = operation;
    return { kind: Kind.DOCUMENT, definitions: [{ kind, operation: type, variableDefinitions, directives, selectionSet }, ...others] };
  });
}

function fieldsAtRoot(document: DocumentNode, { selections }: SelectionSetNode): readonly FieldNode[] {
  return selections.flatMap((selection): readonly FieldNode[] => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsAtRoot(document, selection.selectionSet);
    const fragment = document.definitions.find((definition): definition is FragmentDefinitionNode => {
      return definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value;
    });
    return fragment === undefined ? [] : fieldsAtRoot(document, fragment.selectionSet);
  });
}

function sizeOfNode(node: PlanNode): PlanSize {
  if (node.kind === 'Fetch') return { fetches: 1, waves: 1 };
  if (node.kind === 'Flatten') return sizeOfNode(node.node);
  if (node.kind !== 'Sequence' && node.kind !== 'Parallel') throw new Error(`Nodes of kind ${node.kind} are not compared.`);
  const sizes = node.nodes.map(sizeOfNode);
  const waves = sizes.map((size) => size.waves);
  return {
    fetches: sizes.reduce((sum, { fetches }) => sum + fetches, 0),
    waves: node.kind === 'Parallel' ? Math.max(0, ...waves) : waves.reduce((sum, each) => sum + each, 0),
  };
}
