import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

/** Users: who they are, registration, and what they change of themselves. */
export const createUsersSubgraph: CreateSubgraph = () => ({ name: 'users', resolvers });
