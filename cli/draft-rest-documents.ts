import { resolveGatewayConfig } from '../gateway/config/resolve-gateway-config.ts';
import { costModeFor } from '../gateway/operation/limits/limit-mode.ts';
import { GatewayError } from '../gateway/platform/errors.ts';
import type { LoadedSupergraph } from '../gateway/supergraph/load-supergraph.ts';
import { type DraftedDocuments, draftDocuments } from '../rest-facade/index.ts';
import { createPriceDocument } from './validate/price-document.ts';

/** Drafts REST documents for a graph, without operations that a gateway with default limits would reject. */
export function draftRestDocuments(graph: Pick<LoadedSupergraph, 'schema'> & Partial<LoadedSupergraph>): DraftedDocuments {
  return draftDocuments(graph.schema, { rejectionOf: createRejection(graph) });
}

/** Returns the reason why an operation would be rejected. The cost limit needs the rules of a supergraph. */
function createRejection({
  schema,
  costRules,
}: Pick<LoadedSupergraph, 'schema'> & Partial<LoadedSupergraph>): (operation: string) => string | undefined {
  if (costRules === undefined) return () => undefined;
  const { graphql, limits } = resolveGatewayConfig({});
  const isEnforced = costModeFor(costRules, limits) === 'enforce';
  const price = createPriceDocument({ graphql, limits }, { schema, costRules });
  return (operation) => {
    try {
      const excess = price(operation).find(({ cost, isVarying }) => cost > limits.maxCost && !isVarying);
      if (excess === undefined || !isEnforced) return undefined;
      return `its maximum cost of ${excess.cost} points exceeds limits.maxCost (${limits.maxCost})`;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return error.message;
    }
  };
}
