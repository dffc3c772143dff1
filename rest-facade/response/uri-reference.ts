/** What a client may have sent raw, or a setting have, and a URI reference must not (RFC 3986, section 2): it would end a link early. */
const NO_URI_CHARACTER = /[<>"\\^`{|}]|\P{ASCII}/gu;

/** A path or query as it was sent, or set, so that it can stand in a `Link` header. */
export function toUriReference(sent: string): string {
  return sent.replaceAll(NO_URI_CHARACTER, encodeURIComponent);
}
