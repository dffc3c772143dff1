import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

/** Creates the subgraph of payments. */
export const createPaymentsSubgraph: CreateSubgraph = () => ({ name: 'payments', resolvers });
