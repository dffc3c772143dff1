import type { ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import { createNegotiator } from '../../platform/http/request/negotiate.ts';

/** One element of an `Accept` header. */
export interface MediaRange {
  readonly type: string;
  /** Parameter values, without their quotes. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** @param range media range in lower case (RFC 9110, section 12.5.1) */
function readRange(range: string): MediaRange {
  const [type = '', ...rest] = range.split(';').map((element) => element.trim());
  return { type, parameters: new Map(rest.map(readParameter)) };
}

function readParameter(parameter: string): readonly [string, string] {
  const [name = '', value = ''] = parameter.split('=').map((element) => element.trim());
  return [name, /^"(.*)"$/.exec(value)?.[1] ?? value];
}

/** Media types of single responses of `/graphql` (GraphQL over HTTP, section "Media Types"). */
export type GraphqlMediaType = 'application/json' | 'application/graphql-response+json';

/** Selects the media type for a client; `application/json` when `Accept` is absent. */
export const negotiateGraphql = createNegotiator<GraphqlMediaType>(['application/json', 'application/graphql-response+json']);

const negotiatePage = createNegotiator<GraphqlMediaType | 'text/html'>([
  'application/json',
  'application/graphql-response+json',
  'text/html',
]);

/** Whether the client prefers an HTML page to data, as browsers do. */
export function prefersPage(accept: string | undefined): boolean {
  return negotiatePage(accept) === 'text/html';
}

const TYPE = 'multipart/mixed';

/** Supported version of the incremental delivery draft. */
export const DEFER_SPEC = '20220824';

/**
 * Parameters of other protocols over `multipart/mixed`. A media range with one of them does not accept this version of incremental
 * delivery.
 */
const OTHER_PROTOCOLS = ['subscriptionspec', 'incrementalspec'];

/**
 * Whether a client accepts incremental payloads: `Accept` lists `multipart/mixed`, without a version or with the supported one. The `q`
 * value only has to be positive, because fields that are not deferred are sent immediately in any case.
 */
export function acceptsIncremental(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > MAX_ACCEPT_LENGTH) return false;
  if (accept !== latest.accept) latest = { accept, isUsed: listsIncremental(accept) };
  return latest.isUsed;
}

/** Result for the header that was read last. Most clients send the same header again. */
let latest = { accept: '', isUsed: false };

function listsIncremental(accept: string): boolean {
  const lowerCase = accept.toLowerCase();
  return lowerCase.includes(TYPE) && lowerCase.split(',').some(isForIncremental);
}

function isForIncremental(range: string): boolean {
  const { type, parameters } = readRange(range);
  if (type !== TYPE) return false;
  const version = parameters.get('deferspec') ?? DEFER_SPEC;
  return version === DEFER_SPEC && Number(parameters.get('q') ?? 1) > 0 && !OTHER_PROTOCOLS.some((name) => parameters.has(name));
}

/** Transport for a stream of events. */
export type StreamTransport = 'sse' | 'multipart';

/** Maximum length of an `Accept` header that is parsed. @unit characters */
const MAX_ACCEPT_LENGTH = 1_024;

/** Supported version of multipart subscriptions. */
const SUBSCRIPTION_SPEC = '1.0';

/**
 * Creates a function that finds a stream transport in `Accept`: the first one listed, regardless of other media types. It stores the result
 * for the last header, because most clients send the same header again. For these requests it costs one string comparison.
 */
export function createAcceptsStream(): (request: Pick<ReceivedRequest, 'method' | 'headers'>) => StreamTransport | undefined {
  let latest: string | undefined;
  let transport: StreamTransport | undefined;
  return ({ method, headers: { accept } }) => {
    if (accept !== latest) {
      latest = accept;
      transport = findTransport(accept);
    }
    return transport === undefined || method === 'GET' || method === 'POST' || method === 'HEAD' ? transport : undefined;
  };
}

function findTransport(accept: string | undefined): StreamTransport | undefined {
  if (accept === undefined || accept.length > MAX_ACCEPT_LENGTH) return undefined;
  for (const range of accept.toLowerCase().split(',')) {
    const { type, parameters } = readRange(range);
    if (!(Number(parameters.get('q') ?? 1) > 0)) continue;
    if (type === 'text/event-stream') return 'sse';
    if (type === 'multipart/mixed' && parameters.get('subscriptionspec') === SUBSCRIPTION_SPEC) return 'multipart';
  }
  return undefined;
}
