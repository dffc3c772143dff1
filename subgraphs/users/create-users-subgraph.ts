import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

/** Creates the subgraph of users. */
export const createUsersSubgraph: CreateSubgraph = () => ({ name: 'users', resolvers });
