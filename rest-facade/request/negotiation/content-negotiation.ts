import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import type { RestRoute } from '../../compile/rest-route.ts';

/** Shape of a response body. */
export type BodyShape = 'plain' | 'envelope' | 'links';

/** A media type of responses. */
export interface ResponseMediaType {
  readonly type: string;
  readonly shape: BodyShape;
  /** Absent if the type names no version. */
  readonly version?: number;
}

/** The content of an `Accept` header, independent of the requested resource. */
export interface Acceptance {
  /** Accepted types, by preference. */
  readonly types: readonly ResponseMediaType[];
  /** Whether the client prefers errors as `application/problem+json` (RFC 9457). */
  readonly wantsProblem: boolean;
}

export type ReadAccept = (header: string | undefined) => Acceptance;

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

const SHAPES: readonly BodyShape[] = ['plain', 'envelope', 'links'];

/** Maximum number of cached headers. @unit entries */
const CACHED_HEADERS = 200;
/** Maximum length of a header that is parsed. Parsing a hostile header takes milliseconds. @unit characters */
const MAX_HEADER_LENGTH = 1_024;

/** Returns the media type of a shape, and of a version if there is one: `application/vnd.gatefold.v2.links+json`. */
export function vendorType(vendor: string, shape: BodyShape, version?: number): string {
  return `application/vnd.${vendor}${version === undefined ? '' : `.v${version}`}${shape === 'plain' ? '' : `.${shape}`}+json`;
}

/** Returns the media types of every response with a body, including those of a version if it is given. */
export function servedTypes(vendor: string, version?: number): readonly ResponseMediaType[] {
  const ofAll = SHAPES.map((shape): ResponseMediaType => ({ type: vendorType(vendor, shape), shape }));
  const ofOne =
    version === undefined ? [] : SHAPES.map((shape): ResponseMediaType => ({ type: vendorType(vendor, shape, version), shape, version }));
  return [{ type: JSON_TYPE, shape: 'plain' }, ...ofAll, ...ofOne];
}

/** Whether an `Accept` header has no element. Empty list elements are ignored (RFC 9110, section 5.6.1.2). */
export function acceptsNothing(header: string | undefined): boolean {
  return header === undefined || /^[\s,]*$/.test(header);
}

/**
 * Creates the content negotiation (RFC 9110, section 12.5.1): the highest `q` wins, then the more specific range, then the order of the
 * client, then plain JSON before vendor types. A header that is absent, empty or longer than 1,024 characters accepts plain JSON.
 *
 * @param vendor vendor name in the media types
 */
export function createAcceptReader(vendor: string): ReadAccept {
  const named = new RegExp(`application/vnd\\.${vendor}(?:\\.v([1-9]\\d{0,2}))?(?:\\.(${SHAPES.join('|')}))?\\+json`, 'gi');
  const always = servedTypes(vendor);
  const read = (header: string): Acceptance => {
    const offers = new Map(always.map((offer) => [offer.type, offer]));
    for (const [spelled, digits, word = 'plain'] of header.matchAll(named)) {
      const shape = word.toLowerCase() as BodyShape;
      const version = digits === undefined ? undefined : Number(digits);
      // The type is matched as the client writes it, and returned in its canonical form: `.plain` is omitted in responses.
      const type = vendorType(vendor, shape, version);
      offers.set(spelled.toLowerCase(), { type, shape, ...(version === undefined ? {} : { version }) });
    }
    // A client may name the charset, because UTF-8 is the only charset of JSON.
    const variants = new Map([...offers].flatMap(([type, offer]) => [[type, offer] as const, [`${type};charset=utf-8`, offer] as const]));
    const accepted = new Negotiator({ headers: { accept: header } }).mediaTypes([...variants.keys()]);
    const types = new Set(accepted.flatMap((type) => variants.get(type) ?? []));
    const [best] = accepted[0]?.split(';') ?? [];
    return { types: isOnlyOfFailures(header) ? always : [...types], wantsProblem: isProblemWanted(header, best) };
  };
  const known = new LRUCache<string, Acceptance>({ max: CACHED_HEADERS });
  const whatever: Acceptance = { types: always, wantsProblem: false };
  return (header) => {
    if (header === undefined || header.length > MAX_HEADER_LENGTH || acceptsNothing(header)) return whatever;
    let acceptance = known.get(header);
    if (acceptance === undefined) {
      acceptance = read(header);
      known.set(header, acceptance);
    }
    return acceptance;
  };
}

/**
 * Whether errors are returned as problem details. Only errors have that type, so it is used if its quality is at least that of the success
 * type. A wildcard range does not select it.
 *
 * @param best media type of a successful response, as the client writes it
 */
function isProblemWanted(header: string, best: string | undefined): boolean {
  const ranges = readRanges(header);
  const wish = ranges.find(({ range }) => range === PROBLEM_TYPE)?.quality ?? 0;
  const quality = [best, 'application/*', '*/*'].map((name) => ranges.find(({ range }) => range === name)?.quality);
  return wish > 0 && wish >= (quality.find((value) => value !== undefined) ?? 0);
}

/**
 * Whether the header names only problem details. Such a client has no preference for successful responses, so the header is ignored for
 * them (RFC 9110, section 12.5.1). A 406 would hide the error that the client wants to see.
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

/** The representation of a response. */
export interface Representation {
  /** Value of `Content-Type`. */
  readonly contentType: string;
  /** Name that distinguishes representations in entity tags. */
  readonly name: string;
  readonly shape: BodyShape;
}

const PLAIN: Representation = { contentType: `${JSON_TYPE}; charset=utf-8`, name: 'plain', shape: 'plain' };

/** The part of a located resource that content negotiation uses. */
interface Negotiated {
  readonly version: number;
  /** Preferred media type. Undefined if the client accepts none of the available types. */
  readonly type?: ResponseMediaType | undefined;
}

/**
 * Chooses the representation for the `Accept` header (RFC 9110, section 12.5.1).
 *
 * @param vendor vendor name in the media types
 * @throws GatewayError `NOT_ACCEPTABLE`
 */
export function negotiateRepresentation({ status }: RestRoute, { type, version }: Negotiated, vendor: string): Representation {
  if (type !== undefined && type.type !== JSON_TYPE) return { contentType: type.type, name: type.type, shape: type.shape };
  if (type !== undefined || status === 204) return PLAIN;
  const served = servedTypes(vendor, version).map((candidate) => candidate.type);
  throw new GatewayError('NOT_ACCEPTABLE', `The Accept header allows none of the available media types (${served.join(', ')}).`);
}
