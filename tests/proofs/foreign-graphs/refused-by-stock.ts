import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph, operationFromDocument } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { parse } from 'graphql';

/** Whether the stock planner refuses a supergraph, or an operation over it. */
export function isRefusedByStock(supergraphSdl: string, operation: string, operationName?: string): boolean {
  try {
    const supportedFeatures = ROUTER_SUPPORTED_SUPERGRAPH_FEATURES;
    const supergraph = Supergraph.build(supergraphSdl, { supportedFeatures, validateSupergraph: false });
    const planner = new QueryPlanner(supergraph);
    const options = operationName === undefined ? {} : { operationName };
    planner.buildQueryPlan(operationFromDocument(supergraph.apiSchema(), parse(operation), options));
    return false;
  } catch {
    return true;
  }
}
