/** Hears what a source finds. */
export interface SupergraphListener {
  /** The SDL of the supergraph, after each look that found one; the same again where nothing has changed. */
  onSupergraph(sdl: string): void;
  /** A look that found none. The source goes on looking. */
  onProblem(problem: Error): void;
}

/** Where a supergraph comes from, and comes again when it changes. */
export interface SupergraphSource extends AsyncDisposable {
  /** In words, without secrets: `the file /etc/graph/supergraph.graphql`. */
  readonly name: string;
  /**
   * Whether all of it is on this machine. What is not there then is a mistake of whoever starts the gateway; what is not
   * there on the network may come with the next look.
   */
  readonly isLocal: boolean;
  /** Begins to look, and goes on until disposed of. Called once. */
  start(listener: SupergraphListener): void;
}
