import type { EventStream, Subscribe, SubscriptionRequest } from './event-stream.ts';
import type { BytesResult } from './operation-request.ts';
import type { Pipeline } from './run-operation.ts';

/** What an operation comes to: one answer, or a stream of events. */
export type AnsweredOrStreamed = { readonly answer: BytesResult } | { readonly stream: EventStream };

/**
 * Runs an operation of whatever kind, for doors by which all kinds come in.
 *
 * @param beforeStream called before a stream is opened; what it throws refuses the stream
 * @throws GatewayError when the operation is refused
 */
export type AnswerOrStream = (request: SubscriptionRequest, beforeStream?: () => void) => Promise<AnsweredOrStreamed>;

/** What runs what is answered once. */
export interface AnswerParts extends Pick<Pipeline, 'kindOf'> {
  run(request: SubscriptionRequest, output: 'bytes'): Promise<BytesResult>;
}

export function createAnswerOrStream(pipeline: AnswerParts, subscribe: Subscribe): AnswerOrStream {
  return async (request, beforeStream) => {
    const { kind, documentCharge } = await pipeline.kindOf(request);
    // A document that is refused has no kind: its error is reported, and charged, where it runs.
    if (kind !== 'subscription') return { answer: await pipeline.run({ ...request, documentCharge }, 'bytes') };
    beforeStream?.();
    return { stream: await subscribe({ ...request, documentCharge }) };
  };
}
