import type { CallerBudget } from '../budget/caller-budget.ts';
import type { PreparedDocument } from '../generation/prepared-document.ts';
import type { PersistedDocuments } from '../persisted/persisted-documents.ts';
import { GatewayError } from '../platform/errors.ts';
import type { InNetworks } from '../platform/http/request/client-address.ts';
import { clientOf } from './client-of.ts';
import type { OperationRequest } from './operation-request.ts';

/** Documents as requests bring them: as they are, or by a name. */
export interface RequestedDocuments {
  /** No promise where it is known here. @throws GatewayError when there is none, or it is not served; also as a rejection */
  documentOf(request: OperationRequest): string | PreparedDocument | Promise<string>;
  /** The same; a document that is not found, or not served, is a refused one, and paid for as such. */
  find(request: OperationRequest, budget: CallerBudget | undefined): string | PreparedDocument | Promise<string>;
  /** Keeps the text of a request whose operation is executed, where it came with its hash. */
  register(request: OperationRequest): void;
}

export function createRequestedDocuments(documents: PersistedDocuments, isProxy: InNetworks | undefined): RequestedDocuments {
  function register(request: OperationRequest): void {
    const { original: document = request.document } = request;
    if ('prepared' in document || document.sha256 === undefined || document.text === undefined) return;
    documents.register(document, clientOf(request, isProxy));
  }

  function documentOf({ document }: OperationRequest): string | PreparedDocument | Promise<string> {
    return 'prepared' in document ? document.prepared : documents.textOf(document);
  }

  function find(request: OperationRequest, budget: CallerBudget | undefined): ReturnType<typeof documentOf> {
    if (budget === undefined) return documentOf(request);
    try {
      const found = documentOf(request);
      return found instanceof Promise ? found.catch((error: unknown) => refuse(error, budget)) : found;
    } catch (error) {
      return refuse(error, budget);
    }
  }
  return { documentOf, find, register };
}

async function refuse(error: unknown, budget: CallerBudget): Promise<never> {
  if (error instanceof GatewayError) await budget.payRefusal();
  throw error;
}
