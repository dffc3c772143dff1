import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

/** Creates the subgraph of posts and comments. */
export const createPostsSubgraph: CreateSubgraph = () => ({ name: 'posts', resolvers });
