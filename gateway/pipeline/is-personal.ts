import type { PreparedOperation } from '../generation/prepared-operation.ts';
import type { OperationRequest } from './operation-request.ts';

/**
 * Whether an answer without errors is one of its caller, who may keep it and asks each time whether it still holds. Where there is a
 * policy that HTTP could have followed, a subgraph has taken it away: then nobody keeps it.
 */
export function isPersonal(
  { kind, caching, authorisation }: Pick<PreparedOperation, 'kind' | 'caching' | 'authorisation'>,
  { principal, queryOnly }: Pick<OperationRequest, 'principal' | 'queryOnly'>,
): boolean {
  if (kind !== 'query' || (caching !== undefined && queryOnly === true)) return false;
  return principal.kind !== 'anonymous' || authorisation !== undefined;
}
