import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

/** The books that are sold. */
export const createCatalogueSubgraph: CreateSubgraph = () => ({ name: 'catalogue', resolvers });
