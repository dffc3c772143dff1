import type { OutgoingHttpHeaders } from 'node:http';
import type { Coding, Codings } from '../../gateway/platform/http/response/compress.ts';
import type { HttpResponse, NamedHttpResponse } from '../../gateway/platform/http/response/send-response.ts';
import { toSharedBody } from '../../gateway/platform/http/limits/waiting-body.ts';
import { CORRELATION_ID_HEADER, type RequestHeaders } from '../../gateway/platform/request-headers.ts';
import { readHttpDate } from '../request/conditional/http-date.ts';
import type { Preconditions } from '../request/conditional/preconditions.ts';
import type { IncomingRestRequest } from '../request/request-context.ts';
import { isNotModified } from '../response/evaluate-preconditions.ts';
import { singleHeader, stateOf, toNotModified, withCoding } from '../response/finalize-response.ts';
import type { OperationBudget, StoredRestResponse, CodedRestResponse } from '../rest-gateway.ts';
import { isForSharedCaches, mergeHeaders } from './merge-headers.ts';

/** A request that is served with a stored response. */
export interface StoredRequest {
  readonly headers: RequestHeaders;
  readonly preconditions: Preconditions | undefined;
  readonly incoming: Pick<IncomingRestRequest, 'correlationId' | 'responseHeaders'>;
  /** Budget of the caller. A shared cache does not receive its state. */
  readonly budget: OperationBudget | undefined;
}

export interface StoredResponses {
  /**
   * Makes the rendition of a response for later requests. Undefined if such requests can have other responses.
   *
   * @param more headers of the response from the processing of its request
   */
  make(httpResponse: NamedHttpResponse, more: OutgoingHttpHeaders): StoredRestResponse | undefined;
  /**
   * Makes the response from a rendition, or 304. Returns a promise only if the body must be compressed first.
   *
   * @param ageSeconds age of the cached response. @unit seconds
   * @throws GatewayError `PRECONDITION_FAILED`
   */
  respond(rendition: StoredRestResponse, request: StoredRequest, ageSeconds: number): HttpResponse | Promise<HttpResponse>;
}

/** Headers that belong to one response. */
const OF_ONE_RESPONSE: ReadonlySet<string> = new Set([CORRELATION_ID_HEADER, 'age', 'ratelimit', 'ratelimit-policy']);

export function createStoredResponses(codings: Codings, now: () => number): StoredResponses {
  function contentOf({ body }: StoredRestResponse, coding: Coding | undefined): Content | Promise<Content> {
    return coding === undefined ? toSharedBody(body) : codings.encode(coding, body);
  }

  return {
    make({ status, headers, body }, more) {
      const modified = readHttpDate(headers['last-modified']);
      if (status !== 200 || typeof body !== 'string' || (modified !== undefined && modified > now())) return undefined;
      const merged = mergeHeaders(headers, more);
      const constant = Object.fromEntries(Object.entries(merged).filter(([name]) => !OF_ONE_RESPONSE.has(name)));
      return { body, headers: constant, wire: new Map() };
    },
    respond(rendition, request, ageSeconds) {
      const coding = codings.choose(singleHeader(request.headers['accept-encoding']), rendition.body);
      const wire = rendition.wire.get(coding ?? 'identity') ?? addWire(rendition, coding);
      const { preconditions } = request;
      const isUnchanged = preconditions !== undefined && isNotModified(preconditions, wire.state);
      const head = isUnchanged ? wire.unchangedHead.slice() : wire.head.slice();
      head.push(CORRELATION_ID_HEADER, request.incoming.correlationId, 'age', String(ageSeconds));
      if (!isForSharedCaches(rendition.headers)) request.budget?.writeRateLimitHeaders(head);
      if (isUnchanged) return { status: 304, headers: head, body: '' };
      if (wire.content !== undefined) return toWhole(head, wire.content, wire);
      const content = contentOf(rendition, coding);
      if (!(content instanceof Promise)) return toWhole(head, withContent(wire, content), wire);
      return content.then((encoded) => toWhole(head, withContent(wire, encoded), wire));
    },
  };
}

type Content = string | Uint8Array;

function withContent(wire: CodedRestResponse, content: Content): Content {
  wire.content = content;
  // A text is sent as it is only if it is ASCII.
  wire.contentLength = String(content.length);
  return content;
}

function toWhole(head: string[], content: Content, { contentLength }: CodedRestResponse): HttpResponse {
  head.push('content-length', contentLength);
  return { status: 200, headers: head, body: content };
}

function addWire(rendition: StoredRestResponse, coding: Coding | undefined): CodedRestResponse {
  const plain = { status: 200, headers: rendition.headers, body: rendition.body };
  const coded = coding === undefined ? plain : withCoding(plain, coding);
  const wire: CodedRestResponse = {
    head: toConstantHead(coded.headers),
    unchangedHead: toConstantHead(toNotModified(coded).headers),
    state: stateOf(coded),
    content: undefined,
    contentLength: '',
  };
  rendition.wire.set(coding ?? 'identity', wire);
  return wire;
}

function toConstantHead(headers: OutgoingHttpHeaders): readonly string[] {
  const head = ['x-content-type-options', 'nosniff'];
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) head.push(name, String(value));
  return head;
}
