import type { SubgraphArgument } from '../subgraph-argument.ts';

/** Decisions about a new project, from options and prompts. */
export interface NewProject {
  /** Name of the package. */
  readonly name: string;
  /** Subgraphs. Empty: the example subgraph is written. */
  readonly subgraphs: readonly SubgraphArgument[];
  /** Profile of all commands. Undefined: that of each command. */
  readonly profile: 'dev' | 'production' | undefined;
  readonly jwt: { readonly issuer: string; readonly audience: string; readonly jwksUrl: string } | undefined;
  readonly hasRest: boolean;
}

/** A file of a project. */
export interface ProjectFile {
  /** Path in the project, with slashes. */
  readonly path: string;
  readonly text: string;
}
