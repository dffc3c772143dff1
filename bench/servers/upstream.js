import { Pool } from 'undici';

/**
 * Creates a client for one server that sends and receives JSON text.
 *
 * @param {string} url
 * @returns {(body: string) => Promise<string>}
 */
export function createUpstream(url) {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 64 });
  const headers = { 'content-type': 'application/json' };
  return (body) =>
    new Promise((resolve, reject) => {
      const chunks = [];
      pool.dispatch(
        { path: pathname, method: 'POST', headers, body },
        {
          onRequestStart() {},
          onResponseData: (_controller, chunk) => chunks.push(chunk),
          onResponseEnd: () => resolve(chunks.length === 1 ? chunks[0].toString() : Buffer.concat(chunks).toString()),
          onResponseError: (_controller, error) => reject(error),
        },
      );
    });
}
