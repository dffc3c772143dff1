import { z } from 'zod';

/** Header name (RFC 9110, section 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;

/** Header value without control characters (RFC 9110, section 5.5), limited to characters that all HTTP libraries send identically. */
const VALUE = /^[\t\x20-\x7e]{0,8192}$/;

/**
 * Headers that rules must not set. They belong to one connection (RFC 9110, section 7.6.1), describe a body other than the client's, or
 * identify the caller to subgraphs.
 */
const OURS =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|host|expect|accept|accept-encoding|content-.*|gatefold-.*|x-correlation-id|traceparent)$/;

/** Headers from which services in a trusted network read the caller. The gateway may set them, but must not take them over from clients. */
const NOT_FROM_CLIENTS = /^(?:x-user.*|x-internal-.*|x-forwarded-.*|x-real-ip|forwarded)$/;

/** Whether rules and hooks may set a header, in lower case, on requests to subgraphs. */
export function isSettableHeader(name: string): boolean {
  return NAME.test(name) && !OURS.test(name);
}

/** Whether a text is a header value that all HTTP libraries send identically. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && VALUE.test(value);
}

const name = z.string().regex(NAME, 'expected a valid header name').toLowerCase();

const sent = name.refine(isSettableHeader, 'header rules must not set this header');

const fromClient = sent.refine((text) => !NOT_FROM_CLIENTS.test(text), 'this header must not be forwarded from clients');

/** Rules for the headers of requests to a subgraph. Header names are case-insensitive. */
export const headerRules = z.strictObject({
  propagate: z.array(fromClient).meta({ description: "Headers of the client's request that are forwarded unchanged." }),
  rename: z
    .record(fromClient, fromClient.meta({ description: "Name under which this header of the client's request is forwarded." }))
    .meta({
      description:
        "Headers of the client's request that are forwarded under another name. Each key is the client's header name, and each value is the name that is sent.",
    }),
  set: z
    .record(sent, z.string().regex(VALUE, 'expected a valid header value').meta({ description: 'Value of the header.' }))
    .meta({ description: "Headers that are always sent. They override the client's headers." }),
  remove: z.array(name).meta({ description: 'Headers that are never sent. This takes precedence over all other rules.' }),
});
