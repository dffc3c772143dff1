import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

/** Creates the subgraph of orders. */
export const createOrdersSubgraph: CreateSubgraph = () => ({ name: 'orders', resolvers });
