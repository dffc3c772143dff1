import { DENIED, GRANTED, isSignedIn, UNDECIDED } from '../../authorisation/requirement.ts';
import type { Generations } from '../../generation/generations.ts';
import { GatewayError } from '../../platform/errors.ts';
import type { AccessDecider } from './authorize.ts';
import type { DescribedAccess, OperationRequest } from '../operation-request.ts';
import type { RequestedDocuments } from './resolve-document.ts';

/**
 * Checks the rights of a caller to a stored response: what its execution was granted must be granted now. Fields that the execution
 * was denied are not in the response, and refuse nothing.
 *
 * @param stored rights of the execution. @defaultValue everything was granted
 * @throws GatewayError `FORBIDDEN`, `UNAUTHENTICATED`; `AUTH_UNAVAILABLE` where policies cannot be decided
 * @throws OperationRefused where the document is not valid any more
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
      const { authorisation } = pin.generation.prepareOperation(document, request.operationName);
      if (authorisation === undefined) return;
      const now = authorisation.describe(await decideAccess(authorisation, request));
      const lost = Object.keys(now).filter((id) => isLost(stored[id], now[id]));
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

/** Objects that are granted to owners only cannot be checked in a stored response: a right that covered every object is lost. */
function isLost(then = GRANTED, now: string = DENIED): boolean {
  return then !== DENIED && then !== UNDECIDED && now !== GRANTED && now !== then;
}

function denial({ principal }: OperationRequest, isUndecided: boolean): GatewayError {
  if (isUndecided) return new GatewayError('AUTH_UNAVAILABLE', 'The rights to the stored response cannot be checked at the moment.');
  if (!isSignedIn(principal)) return new GatewayError('UNAUTHENTICATED', 'Sign in to get the stored response to this key.');
  return new GatewayError('FORBIDDEN', 'The rights to the stored response to this key were withdrawn. The request was not run again.');
}
