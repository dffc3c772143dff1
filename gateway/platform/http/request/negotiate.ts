import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Selects the offer that an `Accept` header prefers; undefined if it accepts none of them. */
export type Negotiate<Offer extends string> = (accept: string | undefined) => Offer | undefined;

/** Maximum number of cached decisions. @unit entries */
const CACHED_HEADERS = 200;
/** Maximum length of a header that is parsed, because parsing a malicious one costs milliseconds. @unit characters */
const MAX_HEADER_LENGTH = 1_024;

/**
 * Creates content negotiation for a fixed list of media types (RFC 9110, section 12.5.1). The highest `q` wins, then the more specific
 * range, then the order in the header, then the order of `offers`. `q=0` excludes an offer. Malformed elements are ignored. If the header
 * is absent, empty or longer than 1,024 characters, the first offer is selected.
 */
export function createNegotiator<Offer extends string>(offers: readonly [Offer, ...Offer[]]): Negotiate<Offer> {
  // A client may request the charset that the gateway always sends.
  const variants = new Map<string, Offer>(offers.flatMap((offer) => [[offer, offer] as const, [`${offer};charset=utf-8`, offer] as const]));
  const names = [...variants.keys()];
  const decided = new LRUCache<string, { readonly offer: Offer | undefined }>({ max: CACHED_HEADERS });

  const decide = (accept: string): Offer | undefined => {
    const preferred = new Negotiator({ headers: { accept } }).mediaTypes(names)[0];
    return preferred === undefined ? undefined : variants.get(preferred);
  };

  // Most clients send the same header as the previous one.
  let latest: string | undefined;
  let latestOffer: Offer | undefined = offers[0];

  const look = (accept: string): Offer | undefined => {
    if (accept.length > MAX_HEADER_LENGTH || accept.trim() === '') return offers[0];
    const known = decided.get(accept);
    if (known !== undefined) return known.offer;
    const offer = decide(accept);
    decided.set(accept, { offer });
    return offer;
  };

  return (accept) => {
    if (accept === latest) return latestOffer;
    latestOffer = accept === undefined ? offers[0] : look(accept);
    latest = accept;
    return latestOffer;
  };
}
