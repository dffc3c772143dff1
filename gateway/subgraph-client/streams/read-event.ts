import { isEventId, UNNUMBERED_EVENT } from '../../platform/http/request/event-id.ts';
import type { SubgraphError } from '../../supergraph/subgraph-executor.ts';
import type { SubgraphEvent } from '../../supergraph/subgraph-streams.ts';
import { type ErrorRules, isRecord, readErrors } from '../read-response.ts';

/** Headers of requests with a JSON body, which do not apply to opening a stream. */
const OF_BODIES = new Set(['content-type', 'accept', 'accept-encoding']);

/** Converts header lines to the format of Node's HTTP clients. */
export function toHeaderRecord(lines: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (name !== '' && !OF_BODIES.has(name)) headers[name] = line.slice(colon + 1).trim();
  }
  return headers;
}

/** A received event and the messages that were masked in it. */
export interface ReadEvent {
  readonly event: SubgraphEvent;
  /** Whether the subgraph reports that earlier events may have been missed. */
  readonly isGap: boolean;
  /** Messages of errors that clients must not see, for the log. */
  readonly masked: readonly string[];
}

const NOTHING: readonly string[] = [];

/**
 * Reads the result of one event (GraphQL, section 7.1).
 *
 * @param maxErrors Maximum number of errors. Further errors are dropped.
 * @param needsNoEscape Whether no string of the event contains a character that JSON must escape.
 * @returns undefined when the result is invalid
 */
export function readEvent(result: unknown, maxErrors: number, needsNoEscape: boolean, rules?: ErrorRules): ReadEvent | undefined {
  if (!isRecord(result)) return undefined;
  const { data = null, errors, extensions } = result;
  if (data !== null && !isRecord(data)) return undefined;
  const id = isRecord(extensions) ? toEventId(extensions['eventId']) : undefined;
  const withId = id === undefined ? {} : { eventId: id };
  if (errors === undefined || errors === null) {
    return data === null ? undefined : { event: { response: { data, needsNoEscape }, ...withId }, isGap: false, masked: NOTHING };
  }
  const read = readErrors(errors, maxErrors, rules);
  if (read === undefined) return undefined;
  const isGap = data === null && read.errors.some(({ code }) => code === 'EVENTS_MAY_BE_MISSED');
  return { event: { response: { data, errors: read.errors, needsNoEscape }, ...withId }, isGap, masked: read.masked };
}

/** Reads the errors that a subscription was rejected with; returns undefined when the payload is invalid. */
export function readError(
  payload: unknown,
  maxErrors: number,
  rules?: ErrorRules,
): { errors: readonly SubgraphError[]; masked: readonly string[] } | undefined {
  const read = readErrors(payload, maxErrors, rules);
  return read === undefined || read.errors.length === 0 ? undefined : read;
}

/**
 * Returns an event ID that can be sent back to the subgraph; undefined for any other value. An example is the placeholder ID of a gateway
 * that acts as a subgraph.
 */
export function toEventId(value: unknown): string | undefined {
  return isEventId(value) && value !== UNNUMBERED_EVENT ? value : undefined;
}
