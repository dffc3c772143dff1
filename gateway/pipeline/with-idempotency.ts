import { responseNotStored } from '../idempotency/idempotency-errors.ts';
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

/** Permissions of an operation without rules. Every rule that is added later counts as new. */
const NO_RULES: DescribedAccess = {};

/**
 * Executes a mutation with POST and an `Idempotency-Key` once. All other requests go to the pipeline unchanged.
 *
 * @throws GatewayError `IDEMPOTENCY_KEY_INVALID`, and the errors of `KeyMutation` and `Idempotency.once`
 */
export function withIdempotency(pipeline: Pipeline, { idempotency, keyMutation, authorizeReplay }: IdempotencyStages): IdempotentPipeline {
  async function executeOnce({ request, ...keyed }: KeyedOperation): Promise<IdempotentResult> {
    const { principal } = request;
    const whole = { ...request, acceptsIncremental: false }; // the stored response would not contain incremental payloads
    const { httpResponse, isReplayed } = await idempotency.once(
      { principal, origin: request, ...keyed },
      async ({ noteUnsent }: ExecutionAttempt) => {
        let access: DescribedAccess = NO_RULES;
        const onAccess = (decided: DescribedAccess): void => void (access = decided);
        return toCompletion(await pipeline.execute({ ...whole, onUnsent: noteUnsent, onAccess }), access);
      },
      async (stored) => {
        if (stored !== undefined) await authorizeReplay(whole, stored.access);
        await request.budget?.spend({ kind: 'mutation' }, 1);
      },
    );
    if (httpResponse.body === undefined) throw responseNotStored();
    return { body: httpResponse.body, facts: NO_ERRORS, isReplayed };
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

/** Makes the stored result. Status and headers are not stored, because they depend on what the client accepts in each request. */
function toCompletion({ body, facts }: BytesResult, access: DescribedAccess): Attempted {
  const completion = { httpResponse: { status: 200, headers: {}, body, access } };
  const { errorCodes } = facts;
  if (errorCodes.length === 0) return { completion, result: { errorCodes, mayHaveEffect: true, isConclusive: true } };
  const { errors } = JSON.parse(body) as { readonly errors: readonly OperationError[] };
  // An error below the root field occurred after the root field was resolved, so the mutation has had its effect.
  return { completion, result: { errorCodes, mayHaveEffect: errors.some(({ path = [] }) => path.length > 1), isConclusive: true } };
}
