/** What a client may have sent raw and a URI reference must not have (RFC 3986, section 2): it would end a link early. */
const NO_URI_CHARACTER = /[<>"\\^`{|}]/g;

/** A path or query as it was sent, so that it can stand in a `Link` header. */
export function toUriReference(sent: string): string {
  return sent.replaceAll(NO_URI_CHARACTER, encodeURIComponent);
}
