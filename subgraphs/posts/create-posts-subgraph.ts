import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

/** Posts and comments, and what a user wrote. */
export const createPostsSubgraph: CreateSubgraph = () => ({ name: 'posts', resolvers });
