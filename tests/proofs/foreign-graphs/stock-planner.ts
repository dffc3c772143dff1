import { type PlanNode, QueryPlanner } from '@apollo/query-planner';
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph, operationFromDocument } from '@apollo/federation-internals';
import { parse } from 'graphql';
import type { PlanMeasure } from './measure-plan.ts';

/** Plans an operation and measures the plan. @throws the error of the stock planner */
export type StockPlanning = (text: string, operationName?: string) => PlanMeasure;

/**
 * Creates the stock planner of a supergraph. Labels of `@override` are inactive.
 *
 * @throws Error when the stock planner does not accept the supergraph
 */
export function createStockPlanning(supergraphSdl: string): StockPlanning {
  const supportedFeatures = ROUTER_SUPPORTED_SUPERGRAPH_FEATURES;
  const supergraph = Supergraph.build(supergraphSdl, { supportedFeatures, validateSupergraph: false });
  const planner = new QueryPlanner(supergraph);
  const schema = supergraph.apiSchema();
  return (text, operationName) => {
    const options = operationName === undefined ? {} : { operationName };
    const { node } = planner.buildQueryPlan(operationFromDocument(schema, parse(text), options));
    if (node === undefined) return { requests: 0, depth: 0 };
    if (node.kind === 'Subscription') throw new Error('Plans of subscriptions are not measured.');
    return measureNode(node);
  };
}

function measureNode(node: PlanNode): PlanMeasure {
  if (node.kind === 'Fetch') return { requests: 1, depth: 1 };
  if (node.kind === 'Flatten') return measureNode(node.node);
  if (node.kind !== 'Sequence' && node.kind !== 'Parallel') throw new Error(`Plan nodes of kind ${node.kind} are not measured.`);
  const inner = node.nodes.map(measureNode);
  const depths = inner.map(({ depth }) => depth);
  return {
    requests: inner.reduce((sum, { requests }) => sum + requests, 0),
    depth: node.kind === 'Parallel' ? Math.max(0, ...depths) : depths.reduce((sum, depth) => sum + depth, 0),
  };
}

/** Whether the stock planner rejects a supergraph, or an operation on it. */
export function isRejectedByStock(supergraphSdl: string, text: string, operationName?: string): boolean {
  try {
    createStockPlanning(supergraphSdl)(text, operationName);
    return false;
  } catch {
    return true;
  }
}
