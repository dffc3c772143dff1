import type { CallerBudget } from '../../budget/caller-budget.ts';
import type { PreparedDocument } from '../../generation/prepared-document.ts';
import type { PersistedDocuments } from '../../persisted/persisted-documents.ts';
import { GatewayError } from '../../platform/errors.ts';
import { clientAddressOf, type InNetworks, networkOf } from '../../platform/http/request/client-address.ts';
import { isPromise, type MaybePromise } from '../../platform/maybe-promise.ts';
import { principalKeyOf } from '../../platform/principal.ts';
import type { OperationRequest } from '../operation-request.ts';

/** Identifies the caller: by credentials, or by the prefix of its address that a client cannot easily change. */
export function clientOf(
  { principal, headers, remoteAddress = '' }: Pick<OperationRequest, 'principal' | 'headers' | 'remoteAddress'>,
  isProxy: InNetworks | undefined,
): string {
  if (principal.kind !== 'anonymous') return principalKeyOf(principal);
  return `address:${networkOf(clientAddressOf(remoteAddress, headers, isProxy))}`;
}

/** Documents of requests: sent as text, by hash or id, or already prepared. */
export interface RequestedDocuments {
  /**
   * Finds the document of a request.
   *
   * @returns a promise only when this process has not cached the document
   * @throws GatewayError when the document does not exist or is not allowed; also as a rejection
   */
  find(request: OperationRequest): MaybePromise<string | PreparedDocument>;
  /** Finds the document, and charges the caller when it is not found or not allowed. */
  resolve(request: OperationRequest, budget: CallerBudget): MaybePromise<string | PreparedDocument>;
  /** Registers the text of a request by its hash when the client sent both. Called when the operation is executed. */
  register(request: OperationRequest): void;
}

export function createRequestedDocuments(documents: PersistedDocuments, isProxy: InNetworks | undefined): RequestedDocuments {
  function find({ document }: OperationRequest): MaybePromise<string | PreparedDocument> {
    return 'prepared' in document ? document.prepared : documents.textOf(document);
  }

  return {
    find,
    resolve(request, budget) {
      try {
        const found = find(request);
        return isPromise(found) ? found.catch((error: unknown) => chargeRejected(error, budget)) : found;
      } catch (error) {
        return chargeRejected(error, budget);
      }
    },
    register(request) {
      const { original: document = request.document } = request;
      if ('prepared' in document || document.sha256 === undefined || document.text === undefined) return;
      documents.register(document, clientOf(request, isProxy));
    },
  };
}

async function chargeRejected(error: unknown, budget: CallerBudget): Promise<never> {
  if (error instanceof GatewayError) await budget.chargeFailedLookup();
  throw error;
}

/** Length of the text of a document. @unit UTF-16 code units */
export function lengthOf(document: string | PreparedDocument): number {
  return (typeof document === 'string' ? document : document.text).length;
}
