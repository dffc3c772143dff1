import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Picks the offer that an `Accept` header wants most; undefined when it wants none of them. */
export type Negotiate<Offer extends string> = (accept: string | undefined) => Offer | undefined;

/** Decisions remembered. @unit entries */
const CACHED_HEADERS = 200;
/** Longest header that is read: taking a hostile one apart costs milliseconds. @unit characters */
const MAX_HEADER_LENGTH = 1_024;

/**
 * Content negotiation for a fixed list of media types (RFC 9110, section 12.5.1): the highest `q` wins, then the more
 * specific range, then what the client names first, then the order of `offers`. `q=0` excludes. Elements that are
 * malformed are passed over. No header, an empty one, and one of more than 1,024 characters, which is disregarded, take the
 * first offer.
 */
export function createNegotiator<Offer extends string>(offers: readonly [Offer, ...Offer[]]): Negotiate<Offer> {
  // A client may ask for the charset that we always send.
  const variants = new Map<string, Offer>(offers.flatMap((offer) => [[offer, offer] as const, [`${offer};charset=utf-8`, offer] as const]));
  const names = [...variants.keys()];
  const decided = new LRUCache<string, { readonly offer: Offer | undefined }>({ max: CACHED_HEADERS });

  const decide = (accept: string): Offer | undefined => {
    const preferred = new Negotiator({ headers: { accept } }).mediaTypes(names)[0];
    return preferred === undefined ? undefined : variants.get(preferred);
  };

  // Most clients send the header of the one before.
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
