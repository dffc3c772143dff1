import { responseIssues } from '../description/response-issues.ts';
import { fetchDescriptions } from '../description/fetch-descriptions.ts';

/**
 * Sends `fetch` requests to a gateway in another process and checks the responses against the description that it serves.
 *
 * @throws Error when a response does not match its description
 */
export async function fetchDescribed(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const { origin, pathname, search } = new URL(url);
  const byProxy = Object.fromEntries([...new Headers(init.headers)].filter(([name]) => name.startsWith('x-forwarded-')));
  const exchange = {
    method: init.method ?? 'GET',
    target: pathname + search,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.clone().text(),
  };
  const failures = responseIssues(exchange, await fetchDescriptions(origin, byProxy));
  if (failures.length > 0)
    throw new Error(`The response to ${exchange.method} ${exchange.target} does not match its description: ${failures.join('; ')}`);
  return response;
}
