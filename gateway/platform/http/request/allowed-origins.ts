/** Web origins whose pages may use the gateway, in addition to the origin of the gateway itself. */
export interface AllowedOrigins {
  /** Origins that are compared exactly. */
  readonly origins: readonly string[];
  /** Whether pages of every port of the local machine are allowed. */
  readonly localPages: boolean;
}

/** Origins of pages on the local machine. No other machine can serve a page with such an origin to the browser of a user. */
const LOCAL_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Compiles a check of the `Origin` header, for CORS and WebSocket. */
export function compileAllowedOrigins({ origins, localPages }: AllowedOrigins): (origin: string) => boolean {
  const exact = new Set(origins);
  return localPages ? (origin) => exact.has(origin) || LOCAL_ORIGIN.test(origin) : (origin) => exact.has(origin);
}

/** Whether a page was served by the host that it sends a request to. A proxy may terminate TLS, so the scheme is not compared. */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** Maximum length of an origin in the log. @unit UTF-16 code units */
const LONGEST_ORIGIN = 200;

/** Shortens an origin for the log. */
export function shortOrigin(origin: string): string {
  return origin.slice(0, LONGEST_ORIGIN);
}
