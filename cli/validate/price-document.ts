import { Kind, type OperationDefinitionNode } from 'graphql';
import { createAdmission } from '../../gateway/operation/limits/admit-document.ts';
import { compileCost } from '../../gateway/operation/cost/compile-cost.ts';
import { type CostModel, createCostModel } from '../../gateway/operation/cost/cost-model.ts';
import { modeOf } from '../../gateway/operation/limits/limit-mode.ts';
import { parseDocument } from '../../gateway/operation/parse-document.ts';
import { refuseDefinitions, validateDocument } from '../../gateway/operation/validation/validate-document.ts';
import type { LoadedSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import type { ProductConfig } from '../configuration.ts';

/** An operation with its maximum cost. */
export interface PricedOperation {
  /** Empty for an anonymous operation. */
  readonly name: string;
  /** Maximum cost, with the largest pages. @unit points */
  readonly cost: number;
  /** Whether its variables can reduce the cost. */
  readonly isVarying: boolean;
}

/** Settings that decide whether a document is accepted. */
export interface PricingSettings extends Pick<ProductConfig, 'limits'> {
  readonly graphql: Pick<ProductConfig['graphql'], 'maxTokens' | 'maxErrors'>;
}

/** Computes the cost of a document. @throws OperationRejected if the gateway would reject the document with any variables */
export type PriceDocument = (text: string) => readonly PricedOperation[];

/** Creates a function that checks documents against limits and schema as the gateway does, and returns the cost of their operations. */
export function createPriceDocument(
  { graphql, limits }: PricingSettings,
  { schema, costRules }: Pick<LoadedSupergraph, 'schema' | 'costRules'>,
): PriceDocument {
  const model: CostModel = createCostModel(schema, costRules, limits.slicingArguments);
  const listSizes = { ...limits, isPageSizeEnforced: modeOf(limits, 'pageSize') === 'enforce' };
  const maxTokens = modeOf(limits, 'tokens') === 'enforce' ? graphql.maxTokens : Number.MAX_SAFE_INTEGER;
  const admitDocument = createAdmission({ maxTokens: graphql.maxTokens, limits });
  const validation = { maxErrors: graphql.maxErrors, hideSuggestions: false };
  return (text) => {
    const excesses = admitDocument(text);
    const document = parseDocument(text, { maxTokens });
    if (excesses === undefined) refuseDefinitions(schema, document, validation);
    validateDocument(schema, document, validation);
    const operations = document.definitions.filter((one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION);
    return operations.map((operation) => {
      const { variables, estimate } = compileCost(document, operation, model, listSizes);
      return { name: operation.name?.value ?? '', cost: estimate(undefined), isVarying: variables.size > 0 };
    });
  };
}
