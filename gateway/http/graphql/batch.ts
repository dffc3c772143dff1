import { setImmediate as nextTurn } from 'node:timers/promises';
import { NO_ERRORS, toRequestErrors } from '../../pipeline/response.ts';
import type { BytesResult } from '../../pipeline/operation-result.ts';
import { GatewayError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { RequestHeaders } from '../../platform/request-headers.ts';
import { checkParameters, type GraphqlParameters, isMap } from './parameters.ts';
import { toGatewayError } from '../plain-response.ts';

/** The JSON array of a request body, before its elements are read. */
export type RequestBatch = readonly unknown[];

export interface BatchRequest {
  readonly facts: {
    readonly correlationId: string;
    /** Document id in the path of the request. */
    readonly pathId?: string | undefined;
  };
  readonly headers: RequestHeaders;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Executes one operation as if it were the only one of its request. @throws GatewayError when the operation is rejected */
  readonly respond: (parameters: GraphqlParameters) => Promise<BytesResult>;
}

/**
 * Executes the operations of a JSON array. The response is an array in the order of the request. The element of a rejected operation
 * contains its errors.
 *
 * @throws GatewayError `BAD_REQUEST` for a batch that is rejected as a whole; no operation has started then
 * @throws the reason of the signal, once the client has disconnected
 */
export type RespondToBatch = (batch: RequestBatch, request: BatchRequest) => Promise<BytesResult>;

export interface BatchHandlerOptions {
  /** Maximum number of operations in one request. @unit operations */
  readonly maxBatchedOperations: number;
  readonly logger: Logger;
}

export function createBatchHandler({ maxBatchedOperations, logger }: BatchHandlerOptions): RespondToBatch {
  async function respondToElement(element: unknown, { respond, signal, facts: { correlationId } }: BatchRequest): Promise<string> {
    try {
      return (await respond(checkParameters(element))).body;
    } catch (error) {
      if (signal.aborted && error === signal.reason) return ''; // the client has disconnected
      return JSON.stringify({ errors: toRequestErrors(toGatewayError(error, logger, correlationId), correlationId) });
    }
  }

  return async (batch, request) => {
    checkBatch(batch, request, maxBatchedOperations);
    const { signal } = request;
    const bodies: Promise<string>[] = [];
    for (const element of batch) {
      // Parsing and validation are synchronous. Requests of other clients run between two elements, as they do between two requests.
      if (bodies.length > 0) await nextTurn();
      if (signal.aborted) break;
      bodies.push(respondToElement(element, request));
    }
    const printed = await Promise.all(bodies);
    signal.throwIfAborted();
    return { body: `[${printed.join(',')}]`, facts: NO_ERRORS };
  };
}

/** Checks the length before the elements, so that the elements of a batch that is too long are not read. */
function checkBatch(batch: RequestBatch, { headers, facts: { pathId } }: BatchRequest, maxBatchedOperations: number): void {
  if (batch.length === 0) throw new GatewayError('BAD_REQUEST', 'The batch is empty; send at least one operation.');
  if (batch.length > maxBatchedOperations) {
    throw new GatewayError('BAD_REQUEST', `The batch has ${batch.length} operations; at most ${maxBatchedOperations} are accepted.`);
  }
  if (pathId !== undefined) {
    throw new GatewayError('BAD_REQUEST', 'A path with a document id accepts one operation; send the batch to /graphql.');
  }
  if (headers['idempotency-key'] !== undefined) {
    throw new GatewayError('BAD_REQUEST', 'Idempotency-Key applies to one operation; send the mutation in a separate request.');
  }
  const index = batch.findIndex((element) => !isMap(element));
  if (index !== -1) {
    throw new GatewayError('BAD_REQUEST', `Element ${index} of the batch is not a GraphQL request; send a JSON object with a "query".`);
  }
}
