import { answerFaults } from '../description/answer-faults.ts';
import { fetchDescriptions } from '../description/fetch-descriptions.ts';

/**
 * `fetch` of a gateway in another process, whose answers are held against the description that it serves.
 *
 * @throws Error for an answer that is not as described
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
  const faults = answerFaults(exchange, await fetchDescriptions(origin, byProxy));
  if (faults.length > 0) throw new Error(`${exchange.method} ${exchange.target} is not answered as described: ${faults.join('; ')}`);
  return response;
}
