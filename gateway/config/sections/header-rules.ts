import { z } from 'zod';

/** A header's name (RFC 9110, section 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;

/** A header's value without control characters (RFC 9110, section 5.5), in the characters that every HTTP library sends alike. */
const VALUE = /^[\t\x20-\x7e]{0,8192}$/;

/**
 * Headers that belong to one connection (RFC 9110, section 7.6.1), that describe a body or an answer which is not the
 * client's, or by which subgraphs know who asks: no rule may make them.
 */
const OURS =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|host|expect|accept|accept-encoding|content-.*|gatefold-.*|x-correlation-id|traceparent)$/;

/** Headers in which services that trust their network look for a caller: a value of the gateway's is fine, one of the client's is not. */
const NOT_FROM_CLIENTS = /^(?:x-user.*|x-internal-.*|x-forwarded-.*|x-real-ip|forwarded)$/;

const name = z.string().regex(NAME, 'a header has no such name').toLowerCase();

const sent = name.refine((text) => !OURS.test(text), 'this header is never made by a rule');

const fromClient = sent.refine((text) => !NOT_FROM_CLIENTS.test(text), 'this header is never taken over from a client');

/** What of a client's headers, and what else, goes to a subgraph. Names are read without regard to case. */
export const headerRules = z.strictObject({
  propagate: z.array(fromClient).meta({ description: "Headers of the client's request that are passed on under their own names." }),
  rename: z
    .record(fromClient, fromClient.meta({ description: "Name under which this header of the client's request is passed on." }))
    .meta({ description: "Headers of the client's request that are passed on under another name: the client's name, the name sent." }),
  set: z
    .record(
      sent,
      z.string().regex(VALUE, 'a header cannot have this value').meta({ description: 'Value of a header that is always sent.' }),
    )
    .meta({ description: 'Headers that are always sent; they stand above what the client sends.' }),
  remove: z.array(name).meta({ description: 'Headers that are not sent, whatever another rule says.' }),
});
