import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { resolvers } from './resolvers.ts';

export const createCatalogueSubgraph: CreateSubgraph = () => ({ name: 'catalogue', resolvers });
