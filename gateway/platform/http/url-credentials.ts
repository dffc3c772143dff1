import { GatewayError } from '../errors.ts';

const CREDENTIAL_PARAMETERS: ReadonlySet<string> = new Set(['access_token', 'token', 'api_key']);

/**
 * Refuses credentials in the query string: addresses end up in logs, histories and `Referer` headers.
 *
 * @throws GatewayError `BAD_REQUEST`
 */
export function refuseUrlCredentials(target: string): void {
  const mark = target.indexOf('?');
  if (mark === -1) return;
  for (const name of new URLSearchParams(target.slice(mark + 1)).keys()) {
    if (CREDENTIAL_PARAMETERS.has(name.toLowerCase())) {
      throw new GatewayError(
        'BAD_REQUEST',
        `Credentials are not read from the address; send them in the Authorization header instead of "${name}".`,
      );
    }
  }
}
