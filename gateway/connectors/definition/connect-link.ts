import { type ConnectVersion, CONNECT_VERSIONS, isConnectVersion } from '../connect-version.ts';
import { directiveNameIn, type LinkedFeature } from '../../directives/read-features.ts';

/** Address of the connect specification, without a version. */
export const CONNECT_FEATURE = 'https://specs.apollo.dev/connect';

/** Whether a feature is the connect specification, in any version. */
export function isConnectFeature({ url, identity }: LinkedFeature): boolean {
  return identity === CONNECT_FEATURE || url.startsWith(`${CONNECT_FEATURE}/`);
}

/** How a subgraph links the connect specification. */
export interface ConnectLink {
  readonly version: ConnectVersion;
  /** Name of `@connect` in the subgraph, without its `@`. */
  readonly connect: string;
  /** Name of `@source` in the subgraph, without its `@`. */
  readonly source: string;
}

/**
 * Reads the names and the version of the connect specification.
 *
 * @returns a sentence about the version if the gateway does not support it
 */
export function readConnectLink(feature: LinkedFeature): ConnectLink | string {
  const { url, version } = feature;
  if (!isConnectVersion(version)) {
    return `${url} has no version that the gateway supports. Link ${CONNECT_VERSIONS.map((known) => `v${known}`).join(', ')}.`;
  }
  return { version, connect: directiveNameIn(feature, 'connect'), source: directiveNameIn(feature, 'source') };
}
