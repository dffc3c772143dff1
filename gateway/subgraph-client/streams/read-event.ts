import { isEventId, UNNUMBERED_EVENT } from '../../platform/http/request/event-id.ts';
import type { SubgraphError } from '../../supergraph/subgraph-executor.ts';
import type { SubgraphEvent } from '../../supergraph/subgraph-streams.ts';
import { type ErrorRules, isRecord, readErrors } from '../read-response.ts';

/** What belongs to requests with a body, and not to the opening of a stream. */
const OF_BODIES = new Set(['content-type', 'accept', 'accept-encoding']);

/** Header lines as Node's clients take them. */
export function toHeaderRecord(lines: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (name !== '' && !OF_BODIES.has(name)) headers[name] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** An event as it came, and what was taken out of it. */
export interface ReadEvent {
  readonly event: SubgraphEvent;
  /** The subgraph says that some before this may have been missed. */
  readonly isGap: boolean;
  /** Messages of errors that are not for clients, for the log. */
  readonly masked: readonly string[];
}

const NOTHING: readonly string[] = [];

/**
 * Reads the result of one event (GraphQL, section 7.1).
 *
 * @param maxErrors errors that are kept; further ones are dropped
 * @param needsNoEscape whether no string of it has a character that JSON must escape
 * @returns undefined when it is none
 */
export function readEvent(result: unknown, maxErrors: number, needsNoEscape: boolean, rules?: ErrorRules): ReadEvent | undefined {
  if (!isRecord(result)) return undefined;
  const { data = null, errors, extensions } = result;
  if (data !== null && !isRecord(data)) return undefined;
  const id = isRecord(extensions) ? toEventId(extensions['eventId']) : undefined;
  const withId = id === undefined ? {} : { eventId: id };
  if (errors === undefined || errors === null) {
    return data === null ? undefined : { event: { ...withId, response: { data, needsNoEscape } }, isGap: false, masked: NOTHING };
  }
  const read = readErrors(errors, maxErrors, rules);
  if (read === undefined) return undefined;
  const isGap = data === null && read.errors.some(({ code }) => code === 'EVENTS_MAY_BE_MISSED');
  return { event: { ...withId, response: { data, errors: read.errors, needsNoEscape } }, isGap, masked: read.masked };
}

/** Errors by which a subscription is refused; undefined when they are none. */
export function readRefusal(
  payload: unknown,
  maxErrors: number,
  rules?: ErrorRules,
): { errors: readonly SubgraphError[]; masked: readonly string[] } | undefined {
  const read = readErrors(payload, maxErrors, rules);
  return read === undefined || read.errors.length === 0 ? undefined : read;
}

/** An id that can be sent back; undefined for anything else, such as what a gateway gives that stands in a subgraph's place. */
export function toEventId(value: unknown): string | undefined {
  return isEventId(value) && value !== UNNUMBERED_EVENT ? value : undefined;
}
