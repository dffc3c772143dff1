import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

/** Creates the subgraph that finds users, posts and comments. It returns references, which the owning subgraphs resolve. */
export const createSearchSubgraph: CreateSubgraph = () => ({ name: 'search', resolvers });
