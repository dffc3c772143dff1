import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

export const createPaymentsSubgraph: CreateSubgraph = () => ({ name: 'payments', resolvers });
