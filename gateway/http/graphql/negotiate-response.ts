import type { IncomingMessage } from 'node:http';
import { createNegotiator } from '../../platform/http/request/negotiate.ts';

/** One element of an `Accept` header. */
export interface MediaRange {
  readonly type: string;
  /** Without the quotes around their values. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** @param range in lower case (RFC 9110, section 12.5.1) */
function readRange(range: string): MediaRange {
  const [type = '', ...rest] = range.split(';').map((element) => element.trim());
  return { type, parameters: new Map(rest.map(readParameter)) };
}

function readParameter(parameter: string): readonly [string, string] {
  const [name = '', value = ''] = parameter.split('=').map((element) => element.trim());
  return [name, /^"(.*)"$/.exec(value)?.[1] ?? value];
}

/** What `/graphql` answers in (GraphQL over HTTP, section "Media Types"). */
export type GraphqlMediaType = 'application/json' | 'application/graphql-response+json';

/** The one of `/graphql`'s media types that a client wants; `application/json` where it does not say. */
export const negotiateGraphql = createNegotiator<GraphqlMediaType>(['application/json', 'application/graphql-response+json']);

const negotiatePage = createNegotiator<GraphqlMediaType | 'text/html'>([
  'application/json',
  'application/graphql-response+json',
  'text/html',
]);

/** Whether a page is wanted more than data, as browsers do. */
export function prefersPage(accept: string | undefined): boolean {
  return negotiatePage(accept) === 'text/html';
}

const TYPE = 'multipart/mixed';

/** The version of the incremental delivery draft that is spoken. */
export const DEFER_SPEC = '20220824';

/** Further versions, and other things that are sent in parts: a range that asks for one of them does not ask for ours. */
const OTHER_PROTOCOLS = ['subscriptionspec', 'incrementalspec'];

/**
 * Whether a client takes an answer in parts: its `Accept` lists `multipart/mixed`, without a version or with ours. How much it wants them
 * does not matter, for what is not deferred is answered at once whatever else is listed.
 */
export function acceptsParts(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > MAX_ACCEPT_LENGTH) return false;
  if (accept !== latest.accept) latest = { accept, isTaken: listsParts(accept) };
  return latest.isTaken;
}

/** The header that was read last: most clients send the header of the one before. */
let latest = { accept: '', isTaken: false };

function listsParts(accept: string): boolean {
  const lowerCase = accept.toLowerCase();
  return lowerCase.includes(TYPE) && lowerCase.split(',').some(isForParts);
}

function isForParts(range: string): boolean {
  const { type, parameters } = readRange(range);
  if (type !== TYPE) return false;
  const version = parameters.get('deferspec') ?? DEFER_SPEC;
  return version === DEFER_SPEC && Number(parameters.get('q') ?? 1) > 0 && !OTHER_PROTOCOLS.some((name) => parameters.has(name));
}

/** By what a client can be sent a stream of events. */
export type StreamTransport = 'sse' | 'multipart';

/** Longest header that is read. @unit characters */
const MAX_ACCEPT_LENGTH = 1_024;

/** The version of multipart subscriptions that is spoken. */
const SUBSCRIPTION_SPEC = '1.0';

/**
 * Looks for a transport of events in `Accept`: the first that is listed, whatever else is. One header is remembered, because most clients
 * send the same one again and again: of a request that wants no stream nothing more is looked at than whether it is that one.
 */
export function createAcceptsStream(): (request: Pick<IncomingMessage, 'method' | 'headers'>) => StreamTransport | undefined {
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
