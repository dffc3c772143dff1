import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph, operationFromDocument } from '@apollo/federation-internals';
import { type PlanNode, QueryPlanner, type QueryPlan } from '@apollo/query-planner';
import { parse } from 'graphql';
import { createQueryPlanner } from '../../gateway/planning/create-query-planner.ts';
import type { OperationPlan } from '../../gateway/planning/operation-plan.ts';

/** What a plan costs to run. */
export interface PlanSize {
  readonly fetches: number;
  /** Fetches that have to be made one after another. */
  readonly waves: number;
}

/** Plans documents over one supergraph. @throws what the planner throws */
export type Planning = (document: string) => PlanSize;

export type PlannerName = 'gatefold' | 'apollo';

export function createPlanning(name: PlannerName, supergraphSdl: string): Planning {
  return name === 'gatefold' ? planWithGatefold(supergraphSdl) : planWithApollo(supergraphSdl);
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
  const supergraph = Supergraph.build(supergraphSdl, { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES });
  const schema = supergraph.apiSchema();
  const planner = new QueryPlanner(supergraph);
  return (document) => {
    const { node }: QueryPlan = planner.buildQueryPlan(operationFromDocument(schema, parse(document)));
    return node === undefined ? { fetches: 0, waves: 0 } : sizeOfNode(node as PlanNode);
  };
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
