import type { EncodedIndexes } from '../planning/indexing/encode-indexes.ts';

/** A supergraph, and the settings that its indexes depend on. */
export interface IndexedSupergraph {
  readonly sdl: string;
  /** Whether access rules are enforced. */
  readonly hasAuthentication: boolean;
}

/** Stores the indexes of supergraphs. Neither function throws: without a usable entry, the supergraph is read as a whole. */
export interface IndexCache {
  read(supergraph: IndexedSupergraph): Promise<EncodedIndexes | undefined>;
  write(supergraph: IndexedSupergraph, indexes: EncodedIndexes): Promise<void>;
}
