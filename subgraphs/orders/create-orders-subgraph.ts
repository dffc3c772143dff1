import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

/** Orders, and what a user ordered. */
export const createOrdersSubgraph: CreateSubgraph = () => ({ name: 'orders', resolvers });
