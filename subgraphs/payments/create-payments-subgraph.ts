import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

/** What users paid, each charge made once. */
export const createPaymentsSubgraph: CreateSubgraph = () => ({ name: 'payments', resolvers });
