import { answerNotKept } from '../idempotency/idempotency-errors.ts';
import type { ExecutionAttempt, Attempted, Idempotency } from '../idempotency/idempotency.ts';
import type { DescribedAccess, OperationRequest } from './operation-request.ts';
import type { BytesResult, OperationError } from './operation-result.ts';
import type { AuthorizeReplay } from './stages/authorize-replay.ts';
import type { KeyedOperation, KeyMutation } from './stages/key-mutation.ts';
import { NO_ERRORS } from './response.ts';
import type { ExecuteOrSubscribe, Pipeline } from './pipeline.ts';
import { readIdempotencyKey } from '../platform/http/request/idempotency-key.ts';

/** A response, and whether it is the stored response of an earlier request. */
export interface IdempotentResult extends BytesResult {
  readonly isReplayed?: boolean;
}

/** Executes operations of requests over HTTP. */
export interface IdempotentPipeline extends Pipeline {
  execute(request: OperationRequest): Promise<IdempotentResult>;
  readonly executeOrSubscribe: ExecuteOrSubscribe<IdempotentResult>;
}

export interface IdempotencyStages {
  readonly idempotency: Idempotency;
  readonly keyMutation: KeyMutation;
  readonly authorizeReplay: AuthorizeReplay;
}

/** Access of an operation without rules: every rule that it meets later is new to it. */
const NO_RULES: DescribedAccess = {};

/**
 * Executes a mutation by POST with an `Idempotency-Key` once. All other requests go to the pipeline as they are.
 *
 * @throws GatewayError `IDEMPOTENCY_KEY_INVALID`, and what `KeyMutation` and `Idempotency.once` throw
 */
export function withIdempotency(pipeline: Pipeline, { idempotency, keyMutation, authorizeReplay }: IdempotencyStages): IdempotentPipeline {
  async function executeOnce({ request, ...keyed }: KeyedOperation): Promise<IdempotentResult> {
    const { principal } = request;
    const whole = { ...request, acceptsParts: false }; // an incremental payload would not be part of what is stored
    const { reply, isReplayed } = await idempotency.once(
      { principal, origin: request, ...keyed },
      async ({ noteUnsent }: ExecutionAttempt) => {
        let access: DescribedAccess = NO_RULES;
        const onAccess = (decided: DescribedAccess): void => void (access = decided);
        return conclude(await pipeline.execute({ ...whole, onUnsent: noteUnsent, onAccess }), access);
      },
      async (stored) => {
        if (stored !== undefined) await authorizeReplay(whole, stored.access);
        await request.budget?.spend('mutation', 1);
      },
    );
    if (reply.body === undefined) throw answerNotKept();
    return { body: reply.body, facts: NO_ERRORS, isReplayed };
  }

  function keyOf({ headers, queryOnly }: OperationRequest): string | readonly string[] | undefined {
    return queryOnly === true ? undefined : headers['idempotency-key'];
  }

  async function executeKeyed(request: OperationRequest, header: string | readonly string[]): Promise<IdempotentResult | undefined> {
    const keyed = await keyMutation(request, () => readIdempotencyKey(header));
    return keyed && executeOnce(keyed);
  }

  return {
    ...pipeline,
    execute(request) {
      const header = keyOf(request);
      if (header === undefined) return pipeline.execute(request);
      return executeKeyed(request, header).then((result) => result ?? pipeline.execute(request));
    },
    async executeOrSubscribe(request, toSubscription) {
      const header = keyOf(request);
      const response = header === undefined ? undefined : await executeKeyed(request, header);
      return response === undefined ? pipeline.executeOrSubscribe(request, toSubscription) : { response };
    },
  };
}

/** The status and the headers of an answer are made anew: they follow from what the client accepts this time. */
function conclude({ body, facts }: BytesResult, access: DescribedAccess): Attempted {
  const conclusion = { reply: { status: 200, headers: {}, body, access } };
  const { errorCodes } = facts;
  if (errorCodes.length === 0) return { conclusion, outcome: { errorCodes, mayHaveEffect: true, isTelling: true } };
  const { errors } = JSON.parse(body) as { readonly errors: readonly OperationError[] };
  // What failed below the root field failed after it: that one has had its effect.
  return { conclusion, outcome: { errorCodes, mayHaveEffect: errors.some(({ path = [] }) => path.length > 1), isTelling: true } };
}
