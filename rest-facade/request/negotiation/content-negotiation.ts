import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import type { RestRoute } from '../../compile/rest-route.ts';

/** How a resource is put into a body. */
export type BodyShape = 'plain' | 'envelope' | 'links';

/** A media type that answers have. */
export interface ResponseMediaType {
  readonly type: string;
  readonly shape: BodyShape;
  /** Absent where the type names none. */
  readonly version?: number;
}

/** What an `Accept` header says, whatever is asked for with it. */
export interface Acceptance {
  /** The types that the client takes, the most wanted first. */
  readonly types: readonly ResponseMediaType[];
  /** Whether it wants failures as `application/problem+json` (RFC 9457). */
  readonly wantsProblem: boolean;
}

export type ReadAccept = (header: string | undefined) => Acceptance;

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

const SHAPES: readonly BodyShape[] = ['plain', 'envelope', 'links'];

/** Headers remembered. @unit entries */
const CACHED_HEADERS = 200;
/** Longest header that is read: taking a hostile one apart costs milliseconds. @unit characters */
const MAX_HEADER_LENGTH = 1_024;

/** The type of a shape, and of a version where one is named: `application/vnd.gatefold.v2.links+json`. */
export function vendorType(vendor: string, shape: BodyShape, version?: number): string {
  return `application/vnd.${vendor}${version === undefined ? '' : `.v${version}`}${shape === 'plain' ? '' : `.${shape}`}+json`;
}

/** The types in which everything that has a body is answered, those of a version where one is given. */
export function servedTypes(vendor: string, version?: number): readonly ResponseMediaType[] {
  const ofAll = SHAPES.map((shape): ResponseMediaType => ({ type: vendorType(vendor, shape), shape }));
  const ofOne =
    version === undefined ? [] : SHAPES.map((shape): ResponseMediaType => ({ type: vendorType(vendor, shape, version), shape, version }));
  return [{ type: JSON_TYPE, shape: 'plain' }, ...ofAll, ...ofOne];
}

/** Whether an `Accept` header asks for nothing: elements of a list that are empty are none (RFC 9110, section 5.6.1.2). */
export function asksForNothing(header: string | undefined): boolean {
  return header === undefined || /^[\s,]*$/.test(header);
}

/**
 * Content negotiation (RFC 9110, section 12.5.1): the highest `q` wins, then the more specific range, then what the client
 * names first, then plain JSON before the vendor's types. No header, one without elements, and one of more than 1,024 characters,
 * which is disregarded, take plain JSON.
 *
 * @param vendor as it stands in the vendor's media types
 */
export function createAcceptReader(vendor: string): ReadAccept {
  const named = new RegExp(`application/vnd\\.${vendor}(?:\\.v([1-9]\\d{0,2}))?(?:\\.(${SHAPES.join('|')}))?\\+json`, 'gi');
  const always = servedTypes(vendor);
  const read = (header: string): Acceptance => {
    const offers = new Map(always.map((offer) => [offer.type, offer]));
    for (const [spelled, digits, word = 'plain'] of header.matchAll(named)) {
      const shape = word.toLowerCase() as BodyShape;
      const version = digits === undefined ? undefined : Number(digits);
      // Found as the client writes it, and answered as we do: who writes `plain` out gets the type that is described.
      const type = vendorType(vendor, shape, version);
      offers.set(spelled.toLowerCase(), { type, shape, ...(version === undefined ? {} : { version }) });
    }
    // A client may ask for the charset that is the only one of JSON.
    const variants = new Map([...offers].flatMap(([type, offer]) => [[type, offer] as const, [`${type};charset=utf-8`, offer] as const]));
    const accepted = new Negotiator({ headers: { accept: header } }).mediaTypes([...variants.keys()]);
    const types = new Set(accepted.flatMap((type) => variants.get(type) ?? []));
    const [best] = accepted[0]?.split(';') ?? [];
    return { types: isOnlyOfFailures(header) ? always : [...types], wantsProblem: isProblemWanted(header, best) };
  };
  const known = new LRUCache<string, Acceptance>({ max: CACHED_HEADERS });
  const whatever: Acceptance = { types: always, wantsProblem: false };
  return (header) => {
    if (header === undefined || header.length > MAX_HEADER_LENGTH || asksForNothing(header)) return whatever;
    const acceptance = known.get(header) ?? read(header);
    known.set(header, acceptance);
    return acceptance;
  };
}

/**
 * Whoever names the type of problems names it for failures: nothing else has it. So it is taken where it is wanted as much as
 * what a success would have; a range with a star does not name it.
 *
 * @param best the type of a success, as the client writes it
 */
function isProblemWanted(header: string, best: string | undefined): boolean {
  const ranges = readRanges(header);
  const wish = ranges.find(({ range }) => range === PROBLEM_TYPE)?.quality ?? 0;
  const quality = [best, 'application/*', '*/*'].map((name) => ranges.find(({ range }) => range === name)?.quality);
  return wish > 0 && wish >= (quality.find((value) => value !== undefined) ?? 0);
}

/**
 * A client that names nothing but the type of problems has said how failures are told, and nothing of answers: they are given as if
 * there were no header (RFC 9110, section 12.5.1), for a refusal of that form would stand in the way of the failure it asks about.
 */
function isOnlyOfFailures(header: string): boolean {
  return readRanges(header).every(({ range, quality }) => range === PROBLEM_TYPE && quality > 0);
}

interface AcceptedRange {
  readonly range: string;
  readonly quality: number;
}

function readRanges(header: string): readonly AcceptedRange[] {
  const elements = header.toLowerCase().split(',');
  return elements.filter((element) => element.trim() !== '').map(readRange);
}

function readRange(text: string): AcceptedRange {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { range, quality: quality === undefined ? 1 : Number(quality) || 0 };
}

/** The form in which an answer is written. */
export interface Representation {
  /** Value of `Content-Type`. */
  readonly contentType: string;
  /** Tells this form from the others in entity tags. */
  readonly name: string;
  readonly shape: BodyShape;
}

const PLAIN: Representation = { contentType: `${JSON_TYPE}; charset=utf-8`, name: 'plain', shape: 'plain' };

/** A resource, as far as it matters to the form of its answers. */
interface Negotiated {
  readonly version: number;
  /** The best of those that there are; undefined where the client takes none. */
  readonly type?: ResponseMediaType | undefined;
}

/**
 * What the `Accept` header wants of a route (RFC 9110, section 12.5.1).
 *
 * @param vendor as it stands in the vendor's media types
 * @throws GatewayError `NOT_ACCEPTABLE`
 */
export function negotiateRepresentation({ status }: RestRoute, { type, version }: Negotiated, vendor: string): Representation {
  if (type !== undefined && type.type !== JSON_TYPE) return { contentType: type.type, name: type.type, shape: type.shape };
  if (type !== undefined || status === 204) return PLAIN;
  const served = servedTypes(vendor, version).map((candidate) => candidate.type);
  throw new GatewayError('NOT_ACCEPTABLE', `Answers are ${served.join(', ')}; the Accept header wants none of them.`);
}
