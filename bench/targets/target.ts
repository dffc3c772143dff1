/** Where a target finds what it is put in front of. */
export interface TargetContext {
  /** To listen on, at 127.0.0.1. */
  readonly port: number;
  /** For files of its own. */
  readonly directory: string;
  readonly supergraphFile: string;
  /** Addresses by name of the subgraph. */
  readonly subgraphs: Readonly<Record<string, string>>;
  /** Their SDL, by name. */
  readonly subgraphSdlFiles: Readonly<Record<string, string>>;
  /** A server that knows the whole answer to every operation. */
  readonly wholeUrl: string;
  /** The same as a file. */
  readonly answersFile: string;
  /** Checkout whose build is measured as Gatefold. */
  readonly gatefold: string;
}

/** How a target is started. */
export interface Launch {
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Something that answers GraphQL requests and is measured. */
export interface Target {
  readonly name: TargetName;
  /** What it is, for the report. */
  readonly about: string;
  /** @defaultValue '/graphql' */
  readonly path?: string;
  /** Whether it comes from `bench/peers`. */
  readonly isPeer?: boolean;
  /** How it is started. @throws TargetMissing when it cannot be, here */
  launch(context: TargetContext): Launch | Promise<Launch>;
}

export type TargetName =
  | 'gatefold'
  | 'gatefold-before'
  | 'gatefold-apollo'
  | 'stock'
  | 'hive'
  | 'hive-native'
  | 'mercurius'
  | 'grafbase'
  | 'floor-merged'
  | 'floor-proxy'
  | 'floor-const';

/** A target that is not there, or does not start; the message says why. */
export class TargetMissing extends Error {
  override readonly name = 'TargetMissing';
}
