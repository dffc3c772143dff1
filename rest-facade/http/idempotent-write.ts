import type { OutgoingHttpHeaders } from 'node:http';
import type { Idempotency, StoredResponse, ObjectResult } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { readContentType } from '../../gateway/platform/http/request/content-type.ts';
import { readIdempotencyKey } from '../../gateway/platform/http/request/idempotency-key.ts';
import type { NamedHttpResponse } from '../../gateway/platform/http/response/send-response.ts';
import type { RestRequest } from '../request/request-context.ts';
import { preferencesApplied } from '../response/response-headers.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { type ExecutionHooks, operationOf } from './execute-route.ts';

const REPLAYED = { 'idempotent-replayed': 'true' } as const;

/** The two stages of a response: `execute` throws errors before the operation runs, `respond` throws the errors of its result. */
export interface WriteStages {
  execute(hooks?: ExecutionHooks): Promise<ObjectResult>;
  respond(result: ObjectResult): NamedHttpResponse;
}

export interface IdempotentWriteOptions {
  readonly gateway: Pick<RestGateway, 'authorizeReplay' | 'budgetOf'>;
  readonly idempotency: Idempotency;
}

/**
 * Executes a POST or PATCH with an `Idempotency-Key` at most once. Other requests are executed directly, because the other methods are
 * idempotent (RFC 9110, section 9.2.2).
 *
 * @throws GatewayError as the stages and `Idempotency.once`; `IDEMPOTENCY_KEY_INVALID`
 */
export async function respondOnce(
  { gateway, idempotency }: IdempotentWriteOptions,
  request: RestRequest,
  stages: WriteStages,
): Promise<NamedHttpResponse> {
  const key = keyOf(request);
  const { route, principal, bound, incoming, resource, representation, isMinimal } = request;
  const passed = route.bindings.idempotencyKey;
  if (key === undefined) return stages.respond(await stages.execute());
  const variables = { ...bound.variables };
  const variant = [resource.version, representation.name, isMinimal, bound.fields?.key ?? null];
  if (passed !== undefined) delete variables[passed.variable];
  const { httpResponse, isReplayed } = await idempotency.once(
    {
      principal,
      origin: { headers: incoming.request.headers, remoteAddress: incoming.request.socket.remoteAddress },
      key,
      isPassedDown: passed !== undefined,
      isNeverStored: route.isNeverStored,
      // The variables contain the values of path, query string and body, and do not depend on the mount. Another version or representation
      // has a different response, so both are part of the fingerprint.
      parts: [
        route.method,
        route.template,
        route.operationName,
        variables,
        readContentType(incoming.request.headers)?.essence ?? null,
        variant,
      ],
    },
    async ({ noteUnsent }) => {
      let access: StoredResponse['access'] = {};
      const onAccess = (decided: StoredResponse['access']): void => void (access = decided);
      return toCompletion(await stages.execute({ onUnsent: noteUnsent, onAccess }), { request, stages, access });
    },
    async (stored) => {
      if (stored !== undefined) await gateway.authorizeReplay?.(operationOf(gateway, request), stored.access);
      await payReplay(gateway, request);
    },
  );
  return isReplayed ? toReplay(httpResponse, request) : { ...httpResponse, body: httpResponse.body ?? '' };
}

/** Charges the caller for a replay. @throws GatewayError `RATE_LIMITED` */
async function payReplay(gateway: IdempotentWriteOptions['gateway'], { principal, incoming }: RestRequest): Promise<void> {
  const { headers, socket } = incoming.request;
  const budget = gateway.budgetOf?.({ principal, headers, remoteAddress: socket.remoteAddress ?? '' });
  try {
    await budget?.spend({ kind: 'mutation' }, 1);
  } finally {
    budget?.writeRateLimitHeaders(incoming.responseHeaders);
  }
}

/**
 * Converts a stored response to a replay. If the body was too large to store, the header Location refers to the created resource.
 * `Preference-Applied` reflects the preferences of the current request.
 */
function toReplay({ status, headers, body }: StoredResponse, request: RestRequest): NamedHttpResponse {
  const { location } = headers;
  if (body === undefined) {
    return { status, headers: { 'cache-control': 'no-store', ...(location === undefined ? {} : { location }), ...REPLAYED }, body: '' };
  }
  const reported: OutgoingHttpHeaders = { ...headers, ...REPLAYED };
  const applied = preferencesApplied(request);
  if (applied === undefined) delete reported['preference-applied'];
  else reported['preference-applied'] = applied;
  return { status, headers: reported, body };
}

/**
 * Reads the idempotency key. @throws GatewayError `IDEMPOTENCY_KEY_INVALID`; `UNAUTHENTICATED` if the key is required, because a key
 * belongs to a caller
 */
function keyOf({ route, incoming, principal }: RestRequest): string | undefined {
  const header = incoming.request.headers['idempotency-key'];
  if (header === undefined || (route.method !== 'POST' && route.method !== 'PATCH')) return undefined;
  const isRequired = route.bindings.idempotencyKey?.isRequired === true;
  if (isRequired && principal.kind === 'anonymous')
    throw new GatewayError('UNAUTHENTICATED', 'This resource requires authentication. Send valid credentials.');
  return readIdempotencyKey(header);
}

/** Errors of conditional headers. The same request with another condition may succeed. */
const BY_CONDITION: ReadonlySet<string> = new Set(['VERSION_MISMATCH', 'PRECONDITION_FAILED']);

interface Completing {
  readonly request: RestRequest;
  readonly stages: WriteStages;
  /** Permissions that the execution used. */
  readonly access: StoredResponse['access'];
}

function toCompletion(result: ObjectResult, { request: { condition }, stages: { respond }, access }: Completing) {
  try {
    const { status, headers, body } = respond(result);
    const httpResponse = { status, headers, body: typeof body === 'string' ? body : Buffer.from(body).toString(), access };
    return { completion: { httpResponse }, result: { errorCodes: [], mayHaveEffect: true, isConclusive: true } };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // An error below the root field occurred after the root field, which has already had its effect.
    const mayHaveEffect = result.errors.some(({ path = [] }) => path.length > 1);
    const isByCondition = condition !== undefined && BY_CONDITION.has(error.code);
    return { completion: { error }, result: { errorCodes: [error.code], mayHaveEffect, isConclusive: false, isByCondition } };
  }
}
