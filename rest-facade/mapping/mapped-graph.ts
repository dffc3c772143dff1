import type { GenerationView } from '../../gateway/index.ts';

/** What documents are compiled against: the public schema, and whose fields are whose where the graph is made of several. */
export type MappedGraph = Pick<GenerationView, 'schema' | 'ownersOf'>;
