/** Versions of the connect specification that the gateway supports. */
export const CONNECT_VERSIONS = ['0.1', '0.2', '0.3', '0.4'] as const;

/** Version of the connect specification that a subgraph links. */
export type ConnectVersion = (typeof CONNECT_VERSIONS)[number];

/** Whether the gateway supports a version of the connect specification. */
export function isConnectVersion(version: string): version is ConnectVersion {
  return CONNECT_VERSIONS.some((known) => known === version);
}
