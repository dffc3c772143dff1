import { createHash } from 'node:crypto';
import type { RequestHeaders } from '../request-headers.ts';
import { clientAddressOf, networkOf } from './client-address.ts';
import type { InNetworks } from './networks.ts';

/** Where a request came from. */
export interface RequestOrigin {
  readonly headers: RequestHeaders;
  /** Of the socket. @defaultValue unknown */
  readonly remoteAddress?: string | undefined;
}

/** What tells callers without credentials apart: the address, or the first 64 bits of an IPv6 address. Undefined where it is not known. */
export function anonymousClientOf({ headers, remoteAddress }: RequestOrigin, isProxy: InNetworks | undefined): string | undefined {
  return remoteAddress === undefined ? undefined : networkOf(clientAddressOf(remoteAddress, headers, isProxy));
}

/** The same as a subgraph is told it: it need not know the address. */
export function sessionOf(client: string): string {
  return createHash('sha256').update(`anonymous ${client}`).digest('base64url');
}
