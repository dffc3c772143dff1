/**
 * The id of events to which their subgraph gives none. A client that comes back with it has seen some of them, and nobody can say how
 * many since: it is told that events may have been missed.
 */
export const UNNUMBERED_EVENT = '~';
