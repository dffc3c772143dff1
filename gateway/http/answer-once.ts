import { answerNotKept } from '../idempotency/errors.ts';
import type { Attempt, Attempted, Idempotency } from '../idempotency/idempotency.ts';
import type { BytesResult, DescribedAccess, OperationError, OperationRequest } from '../pipeline/operation-request.ts';
import type { KeyedOperation } from '../pipeline/keyed-mutations.ts';
import { NO_ERRORS } from '../pipeline/output.ts';
import type { Pipeline } from '../pipeline/run-operation.ts';
import { readIdempotencyKey } from '../platform/http/request/idempotency-key.ts';

/** An answer, and whether it is what was answered before. */
export interface OnceResult extends BytesResult {
  readonly isReplayed?: boolean;
}

/**
 * Runs an operation. A mutation by POST with an `Idempotency-Key` has its effect once; all others are run as they come.
 *
 * @throws GatewayError when it is refused, `IDEMPOTENCY_KEY_INVALID`, and what `KeyMutation` and `Idempotency.once` throw
 */
export type AnswerOnce = (request: OperationRequest) => Promise<OnceResult>;

export interface AnswerOnceOptions {
  readonly pipeline: Pick<Pipeline, 'run' | 'keyMutation' | 'admitReplay'>;
  readonly idempotency: Idempotency;
}

/** Of an operation without rules: every rule that it meets later is new to it. */
const NO_RULES: DescribedAccess = {};

export function createAnswerOnce({ pipeline, idempotency }: AnswerOnceOptions): AnswerOnce {
  async function runKeyed({ request, ...keyed }: KeyedOperation): Promise<OnceResult> {
    const { principal } = request;
    // A part that came later would be no part of what is kept.
    const whole = { ...request, acceptsParts: false };
    const { reply, isReplayed } = await idempotency.once(
      { principal, origin: request, ...keyed },
      async ({ noteUnsent }: Attempt) => {
        let access: DescribedAccess = NO_RULES;
        const onAccess = (decided: DescribedAccess): void => void (access = decided);
        return conclude(await pipeline.run({ ...whole, onUnsent: noteUnsent, onAccess }, 'bytes'), access);
      },
      async (stored) => {
        if (stored !== undefined) await pipeline.admitReplay(whole, stored.access);
        await request.budget?.spend('mutation', 1);
      },
    );
    if (reply.body === undefined) throw answerNotKept();
    return { body: reply.body, facts: NO_ERRORS, isReplayed };
  }

  async function answerKeyed(request: OperationRequest, header: string | readonly string[]): Promise<OnceResult> {
    const keyed = await pipeline.keyMutation(request, () => readIdempotencyKey(header));
    return keyed === undefined ? pipeline.run(request, 'bytes') : runKeyed(keyed);
  }

  return (request) => {
    const header = request.headers['idempotency-key'];
    return header === undefined || request.queryOnly === true ? pipeline.run(request, 'bytes') : answerKeyed(request, header);
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
