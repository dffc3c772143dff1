import { DENIED, GRANTED, isSignedIn, UNDECIDED } from '../../authorization/requirement.ts';
import type { Generations } from '../../generation/generations.ts';
import { GatewayError } from '../../platform/errors.ts';
import type { AccessDecider } from './authorize.ts';
import type { DescribedAccess, OperationRequest } from '../operation-request.ts';
import type { RequestedDocuments } from './resolve-document.ts';

/**
 * Checks the permissions of a caller for a stored response: permissions that were granted to its execution must still be granted. Fields
 * that were denied to the execution are not in the response, and are not checked.
 *
 * @param stored permissions of the execution. @defaultValue everything was granted
 * @throws GatewayError `FORBIDDEN`, `UNAUTHENTICATED`; `AUTH_UNAVAILABLE` when policies cannot be decided
 * @throws OperationRejected when the document is no longer valid
 */
export type AuthorizeReplay = (request: OperationRequest, stored?: DescribedAccess) => Promise<void>;

export interface AuthorizeReplayOptions {
  readonly generations: Pick<Generations, 'pin'>;
  readonly documents: Pick<RequestedDocuments, 'find'>;
  readonly decideAccess: AccessDecider;
}

const EVERYTHING: DescribedAccess = {};

export function createAuthorizeReplay({ generations, documents, decideAccess }: AuthorizeReplayOptions): AuthorizeReplay {
  return async (request, stored = EVERYTHING) => {
    const document = await documents.find(request);
    const pin = generations.pin(request.generation);
    try {
      const { authorization } = pin.generation.prepareOperation(document, request.operationName);
      if (authorization === undefined) return;
      const now = authorization.describe(await decideAccess(authorization, request));
      const lost = Object.keys(now).filter((id) => isRevoked(stored[id], now[id]));
      if (lost.length > 0)
        throw denial(
          request,
          lost.every((id) => now[id] === UNDECIDED),
        );
    } finally {
      pin[Symbol.dispose]();
    }
  };
}

/**
 * Whether a permission is lost. Objects that are granted only to their owners cannot be checked in a stored response, so a permission for
 * every object counts as lost.
 */
function isRevoked(then = GRANTED, now: string = DENIED): boolean {
  return then !== DENIED && then !== UNDECIDED && now !== GRANTED && now !== then;
}

function denial({ principal }: OperationRequest, isUndecided: boolean): GatewayError {
  if (isUndecided) return new GatewayError('AUTH_UNAVAILABLE', 'The permissions for the stored response cannot be checked at the moment.');
  if (!isSignedIn(principal)) return new GatewayError('UNAUTHENTICATED', 'Send credentials to read the stored response for this key.');
  return new GatewayError(
    'FORBIDDEN',
    'The caller no longer has permission for the stored response to this key. The request was not executed again.',
  );
}
