/** Addresses and files that a target needs. */
export interface TargetContext {
  /** Port to listen on, at 127.0.0.1. */
  readonly port: number;
  /** Directory for files of the target. */
  readonly directory: string;
  readonly supergraphFile: string;
  /** Addresses of the subgraphs, by name. */
  readonly subgraphs: Readonly<Record<string, string>>;
  /** SDL files of the subgraphs, by name. */
  readonly subgraphSdlFiles: Readonly<Record<string, string>>;
  /** Address of a server that returns the whole response to every operation. */
  readonly wholeUrl: string;
  /** File with the same responses. */
  readonly responsesFile: string;
  /** Checkout whose build is measured as Gatefold. */
  readonly gatefold: string;
}

/** Command that starts a target. */
export interface Launch {
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server for GraphQL requests that is measured. */
export interface Target {
  readonly name: TargetName;
  /** Description for the report. */
  readonly about: string;
  /** @defaultValue '/graphql' */
  readonly path?: string;
  /** Whether the target is installed in `bench/peers`. */
  readonly isPeer?: boolean;
  /** Returns the command that starts the target. @throws TargetMissing when the target cannot be started on this machine */
  launch(context: TargetContext): Launch | Promise<Launch>;
}

export type TargetName =
  | 'gatefold'
  | 'gatefold-before'
  | 'gatefold-sampled'
  | 'gatefold-traced'
  | 'gatefold-apollo'
  | 'gatefold-deduping'
  | 'stock'
  | 'hive'
  | 'hive-native'
  | 'mercurius'
  | 'grafbase'
  | 'hive-router'
  | 'hive-router-deduping'
  | 'cosmo-router'
  | 'apollo-router'
  | 'floor-merged'
  | 'floor-proxy'
  | 'floor-const';

/** A target that is not installed or does not start. The message contains the reason. */
export class TargetMissing extends Error {
  override readonly name = 'TargetMissing';
}
