import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

/** Creates the subgraph of books. */
export const createCatalogueSubgraph: CreateSubgraph = () => ({ name: 'catalogue', resolvers });
