import type { OutgoingHttpHeaders } from 'node:http';
import type { Idempotency, KeptReply, ObjectResult } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { readContentType } from '../../gateway/platform/http/request/content-type.ts';
import { readIdempotencyKey } from '../../gateway/platform/http/request/idempotency-key.ts';
import type { NamedReply } from '../../gateway/platform/http/response/send-response.ts';
import { preferencesApplied } from '../response/preference-applied.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { type ExecutionHooks, operationOf } from './execute-route.ts';
import type { ReadyRequest } from './ready-request.ts';

const REPLAYED = { 'idempotent-replayed': 'true' } as const;

/** The two halves of an answer: what is refused before the operation runs is thrown by the first, what it came to by the second. */
export interface AnswerParts {
  execute(hooks?: ExecutionHooks): Promise<ObjectResult>;
  answer(result: ObjectResult): NamedReply;
}

export interface AnswerOnceOptions {
  readonly gateway: Pick<RestGateway, 'admitReplay' | 'budgetOf'>;
  readonly idempotency: Idempotency;
}

/**
 * A request by POST or PATCH with an `Idempotency-Key` has its effect once; all others are answered as they come (the other methods
 * of writing are idempotent by themselves: RFC 9110, section 9.2.2).
 *
 * @throws GatewayError what the parts throw; `IDEMPOTENCY_KEY_INVALID`, and what `Idempotency.once` throws
 */
export async function answerOnce(
  { gateway, idempotency }: AnswerOnceOptions,
  ready: ReadyRequest,
  parts: AnswerParts,
): Promise<NamedReply> {
  const key = keyOf(ready);
  const { route, principal, bound, incoming, version, representation, isMinimal } = ready;
  const passed = route.bindings.idempotencyKey;
  if (key === undefined) return parts.answer(await parts.execute());
  const variables = { ...bound.variables };
  const form = [version, representation.name, isMinimal, bound.fields?.key ?? null];
  if (passed !== undefined) delete variables[passed.variable];
  const { reply, isReplayed } = await idempotency.once(
    {
      principal,
      origin: { headers: incoming.request.headers, remoteAddress: incoming.request.socket.remoteAddress },
      key,
      isPassedDown: passed !== undefined,
      isNeverKept: route.isNeverStored,
      // The variables are what path, query string and body say, whatever the mount. In another version or form the answer is another
      // one, and that of the first would not be what was asked for.
      parts: [
        route.method,
        route.template,
        route.operationName,
        variables,
        readContentType(incoming.request.headers)?.essence ?? null,
        form,
      ],
    },
    async ({ noteUnsent }) => {
      let access: KeptReply['access'] = {};
      const onAccess = (decided: KeptReply['access']): void => void (access = decided);
      return conclude(await parts.execute({ onUnsent: noteUnsent, onAccess }), { ready, parts, access });
    },
    async (stored) => {
      if (stored !== undefined) await gateway.admitReplay?.(operationOf(gateway, ready), stored.access);
      await payReplay(gateway, ready);
    },
  );
  return isReplayed ? toReplay(reply, ready) : { ...reply, body: reply.body ?? '' };
}

/** @throws GatewayError `RATE_LIMITED` */
async function payReplay(gateway: AnswerOnceOptions['gateway'], { principal, incoming }: ReadyRequest): Promise<void> {
  const { headers, socket } = incoming.request;
  const budget = gateway.budgetOf?.({ principal, headers, remoteAddress: socket.remoteAddress ?? '' });
  try {
    await budget?.spend('mutation', 1);
  } finally {
    budget?.tell(incoming.replyHeaders);
  }
}

/** Where the body was not kept, what was made is found at its place. Which wishes were heeded is said of those of this time. */
function toReplay({ status, headers, body }: KeptReply, ready: ReadyRequest): NamedReply {
  const { location } = headers;
  if (body === undefined) {
    return { status, headers: { 'cache-control': 'no-store', ...(location === undefined ? {} : { location }), ...REPLAYED }, body: '' };
  }
  const told: OutgoingHttpHeaders = { ...headers, ...REPLAYED };
  const applied = preferencesApplied(ready);
  if (applied === undefined) delete told['preference-applied'];
  else told['preference-applied'] = applied;
  return { status, headers: told, body };
}

/** @throws GatewayError `IDEMPOTENCY_KEY_INVALID`; `UNAUTHENTICATED` where the key is required: it belongs to somebody */
function keyOf({ route, incoming, principal }: ReadyRequest): string | undefined {
  const header = incoming.request.headers['idempotency-key'];
  if (header === undefined || (route.method !== 'POST' && route.method !== 'PATCH')) return undefined;
  const isRequired = route.bindings.idempotencyKey?.isRequired === true;
  if (isRequired && principal.kind === 'anonymous') throw new GatewayError('UNAUTHENTICATED', 'Sign in to use this resource.');
  return readIdempotencyKey(header);
}

/** What the headers of a condition are about: by another one, the same request may be one that is carried out. */
const BY_CONDITION: ReadonlySet<string> = new Set(['VERSION_MISMATCH', 'PRECONDITION_FAILED']);

interface Concluding {
  readonly ready: ReadyRequest;
  readonly parts: AnswerParts;
  /** Rights of the execution. */
  readonly access: KeptReply['access'];
}

function conclude(result: ObjectResult, { ready: { condition }, parts: { answer }, access }: Concluding) {
  try {
    const { status, headers, body } = answer(result);
    const reply = { status, headers, body: typeof body === 'string' ? body : Buffer.from(body).toString(), access };
    return { conclusion: { reply }, outcome: { errorCodes: [], mayHaveEffect: true, isTelling: true } };
  } catch (refusal) {
    if (!(refusal instanceof GatewayError)) throw refusal;
    // What failed below the root field failed after it: that one has had its effect.
    const mayHaveEffect = result.errors.some(({ path = [] }) => path.length > 1);
    const isByCondition = condition !== undefined && BY_CONDITION.has(refusal.code);
    return { conclusion: { refusal }, outcome: { errorCodes: [refusal.code], mayHaveEffect, isTelling: false, isByCondition } };
  }
}
