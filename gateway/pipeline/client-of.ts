import { clientAddressOf, networkOf } from '../platform/http/request/client-address.ts';
import type { InNetworks } from '../platform/http/request/client-address.ts';
import { principalKeyOf } from '../platform/principal.ts';
import type { OperationRequest } from './operation-request.ts';

/** Names who asks: by credentials, or by what the client can hardly change of its address. */
export function clientOf(
  { principal, headers, remoteAddress = '' }: Pick<OperationRequest, 'principal' | 'headers' | 'remoteAddress'>,
  isProxy: InNetworks | undefined,
): string {
  if (principal.kind !== 'anonymous') return principalKeyOf(principal);
  return `address:${networkOf(clientAddressOf(remoteAddress, headers, isProxy))}`;
}
