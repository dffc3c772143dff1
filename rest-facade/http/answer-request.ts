import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { GenerationBound, ObjectResult, OperationRequest, WholeAccess } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { type Negotiate, createNegotiator } from '../../gateway/platform/http/negotiate.ts';
import { guardRawRequest } from '../../gateway/platform/http/raw-request-guard.ts';
import type { NamedReply } from '../../gateway/platform/http/send-reply.ts';
import type { Principal } from '../../gateway/platform/principal.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { toRefusal } from '../errors/execution-failure.ts';
import type { RouteTable } from '../mapping/compile-route-table.ts';
import type { RestMethod } from '../mapping/directive-values.ts';
import type { Route } from '../mapping/route.ts';
import { type BindLimits, bindRequest } from '../request/bind-request.ts';
import type { Match } from '../request/compile-matcher.ts';
import { parseQuery } from '../request/query-parameters.ts';
import { toAnswer } from '../response/to-answer.ts';
import { allowOf, optionsHeaders } from './allowed-methods.ts';
import { readJsonBody } from './read-json-body.ts';

export interface AnswerOptions extends BindLimits {
  readonly gateway: Pick<RestGateway, 'authenticate' | 'budgetOf' | 'run'>;
  readonly table: GenerationBound<RouteTable>;
  /** @unit bytes */
  readonly maxBodyBytes: number;
  /** @unit bytes */
  readonly maxUrlBytes: number;
}

/** One request with what its connection tells. */
interface IncomingRequest {
  readonly request: IncomingMessage;
  /** Path below which the facade is mounted in another server; empty at its root. */
  readonly basePath: string;
  readonly correlationId: string;
  readonly signal: AbortSignal;
  /** Of the answer, whatever it is; what is known of the caller's budget is added. */
  readonly replyHeaders: OutgoingHttpHeaders;
}

/** Answers a request to a resource. @throws GatewayError for every refusal and failure */
export type AnswerRequest = (incoming: IncomingRequest) => Promise<NamedReply>;

const SIGN_IN = 'Sign in to use this resource.';
const ANSWERED_TYPE = 'application/json';

/** The whole life of a REST request, top to bottom; a stage refuses by throwing. */
export function createAnswerRequest(options: AnswerOptions): AnswerRequest {
  const { gateway, table } = options;
  const negotiate = createNegotiator([ANSWERED_TYPE]);

  async function run(operation: OperationRequest, method: RestMethod, replyHeaders: OutgoingHttpHeaders): Promise<ObjectResult> {
    try {
      return await gateway.run(operation, 'object');
    } catch (error) {
      throw error instanceof GatewayError ? toRefusal(error, method) : error;
    } finally {
      operation.budget?.tell(replyHeaders);
    }
  }

  return async ({ request, basePath, correlationId, signal, replyHeaders }) => {
    guardRawRequest(request, options);
    const [path, query] = splitTarget(request.url ?? '/');
    using pinned = table.acquire();
    const match = pinned.value.match(path);
    if (match === undefined) throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
    if (request.method === 'OPTIONS') return { status: 204, headers: optionsHeaders(match), body: '' };
    const route = routeOf(match, request.method ?? '');
    const { headers } = request;
    const remoteAddress = request.socket.remoteAddress ?? '';
    const principal = await gateway.authenticate(headers, remoteAddress);
    requireCredentials(route, principal);
    requireAccess(pinned.value.accessOf(route), principal);
    requireAccepted(route, headers.accept, negotiate);
    const body = route.bindings.body === undefined ? undefined : await readJsonBody(request, route.method, options.maxBodyBytes);
    const input = { path: match.parameters, query: parseQuery(query), body, headers };
    const bound = bindRequest(route, input, options);
    const budget = gateway.budgetOf?.({ principal, headers, remoteAddress });
    const operation = {
      generation: pinned.generation,
      principal,
      document: { prepared: pinned.value.documentOf(route, bound.fields) },
      variables: bound.variables,
      door: 'rest',
      headers,
      correlationId,
      remoteAddress,
      budget,
      queryOnly: route.method === 'GET',
      signal,
    } as const;
    const result = await run(operation, route.method, replyHeaders);
    const address = { path: basePath + withoutSlash(path), query, prefix: basePath + match.mount };
    return toAnswer(result, { route, bound, maxOffset: options.maxOffset, ...address });
  };
}

function splitTarget(target: string): readonly [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** HEAD is GET whose body is not sent (RFC 9110, section 9.3.2). */
function routeOf(match: Match, method: string): Route {
  const route = match.routes.get((method === 'HEAD' ? 'GET' : method) as RestMethod);
  if (route !== undefined) return route;
  throw new GatewayError('METHOD_NOT_ALLOWED', 'This method is not served here; the Allow header names those that are.', {
    headers: { allow: allowOf(match) },
  });
}

function requireCredentials({ needsCredentials }: Route, { kind }: Principal): void {
  if (needsCredentials && kind === 'anonymous') throw new GatewayError('UNAUTHENTICATED', SIGN_IN);
}

/** Before anything is said of what was sent: whoever may not see the answer learns nothing by asking for it wrongly. */
function requireAccess(access: WholeAccess | undefined, principal: Principal): void {
  const denial = access?.(principal);
  if (denial === undefined) return;
  throw new GatewayError(denial, denial === 'FORBIDDEN' ? 'You may not use this resource in this way.' : SIGN_IN);
}

function requireAccepted({ status }: Route, accept: string | undefined, negotiate: Negotiate<string>): void {
  if (status === 204 || negotiate(accept) !== undefined) return;
  throw new GatewayError('NOT_ACCEPTABLE', `Answers are ${ANSWERED_TYPE}; the Accept header does not want it.`);
}
