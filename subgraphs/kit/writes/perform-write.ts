import { principalKeyOf } from '../../../gateway/platform/principal.ts';
import type { Sql } from '../database/database.ts';
import type { EventPayload } from '../events/event-bus.ts';
import type { RequestContext } from '../request-context.ts';
import { type IdempotentWrite, checkIdempotencyKey, claimKey, fingerprintOf, storeResult } from './idempotency-records.ts';
import { appendToOutbox } from './outbox.ts';
import { type UserError, WriteRejected } from './user-errors.ts';

/** Dependencies of the effect of a write. */
export interface WriteScope {
  readonly sql: Sql;
  /** Time of the write, for `created_at` and `updated_at`. */
  readonly now: Date;
  /** Adds an event to the outbox. It is published after the commit. */
  readonly emit: (topic: string, payload: EventPayload) => void;
}

/** Identification of a write that is executed once per key. */
export interface KeyedOperation {
  /** Name of the mutation. */
  readonly operation: string;
  /** All arguments except the key. The same key with other arguments is rejected. */
  readonly input: unknown;
  /** Idempotency key. Without one, the write is executed each time. */
  readonly key: string | null | undefined;
}

export interface Write<Value> {
  /** Present for mutations with an idempotency key. */
  readonly once?: KeyedOperation;
  /** Changes rows and returns the value of the payload. It throws `WriteRejected` to change nothing. It may run again after a deadlock. */
  effect(scope: WriteScope): Promise<Value>;
}

export type WriteResult<Value> =
  | { readonly value: Value; readonly errors: readonly [] }
  | { readonly value: null; readonly errors: readonly UserError[] };

/**
 * Executes effect, idempotency record and events in one transaction. A key that was used before with the same input returns the first
 * result and has no effect. Rejected writes are not recorded, because they changed nothing.
 *
 * @throws GraphQLError `IDEMPOTENCY_KEY_INVALID`
 */
export async function performWrite<Value>(context: RequestContext, write: Write<Value>): Promise<WriteResult<Value>> {
  const keyed = keyedWrite(context, write.once);
  let hasEvents = false;
  try {
    const value = await context.database.transaction(async (sql) => {
      const now = new Date(context.clock.now());
      if (keyed !== undefined) {
        const replayed = await claimKey(sql, keyed, now);
        if (replayed !== undefined) return replayed.value as Value;
      }
      const events: { topic: string; payload: EventPayload }[] = [];
      const result = await write.effect({ sql, now, emit: (topic, payload) => void events.push({ topic, payload }) });
      if (keyed !== undefined) await storeResult(sql, keyed, result);
      await appendToOutbox(sql, context.subgraph, events, now);
      hasEvents = events.length > 0;
      return result;
    });
    if (hasEvents) context.wakeRelay();
    return { value, errors: [] };
  } catch (error) {
    if (error instanceof WriteRejected) return { value: null, errors: error.errors };
    throw error;
  } finally {
    context.loaders.clear();
  }
}

function keyedWrite({ principal, subgraph }: RequestContext, once: KeyedOperation | undefined): IdempotentWrite | undefined {
  if (once?.key === undefined || once.key === null) return undefined;
  checkIdempotencyKey(once.key);
  return {
    subgraph,
    principal: principal.kind === 'anonymous' ? `anonymous:${principal.session ?? ''}` : principalKeyOf(principal),
    key: once.key,
    fingerprint: fingerprintOf(once.operation, once.input),
  };
}
