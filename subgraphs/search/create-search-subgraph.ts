import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

/** Finds users, posts and comments; gives references, which the owners resolve. */
export const createSearchSubgraph: CreateSubgraph = () => ({ name: 'search', resolvers });
