import { readRange } from './read-range.ts';

/** Longest header that is read. @unit characters */
const MAX_HEADER_LENGTH = 1_024;

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
  if (accept === undefined || accept.length > MAX_HEADER_LENGTH) return false;
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
