import { ConnectorRequestInvalid } from './connector-request-invalid.ts';

/** An absolute URL, split into what connectors append to. */
export interface UrlOrigin {
  /** Scheme, host and port: `https://example.com:8080`. */
  readonly origin: string;
  /** Encoded segments of the path. */
  readonly segments: readonly string[];
  /** Encoded parameters of the query. */
  readonly parameters: readonly string[];
}

/**
 * Parses the start of an absolute URL.
 *
 * @throws ConnectorRequestInvalid if it is not a URL, has another scheme than `http` and `https`, or contains credentials. The message does
 * not contain the URL.
 */
export function parseOrigin(text: string): UrlOrigin {
  if (!URL.canParse(text)) throw new ConnectorRequestInvalid('The URL of the connector is not a valid absolute URL.');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ConnectorRequestInvalid(`The URL of the connector has the scheme "${url.protocol.slice(0, -1)}". Use http or https.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConnectorRequestInvalid('The URL of the connector contains credentials. Send them in a header.');
  }
  return {
    origin: url.origin,
    segments: url.pathname.split('/').filter((segment) => segment !== ''),
    parameters: url.search
      .slice(1)
      .split('&')
      .filter((parameter) => parameter !== ''),
  };
}
