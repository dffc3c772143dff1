import type { DataSourceConfig } from '@apollo/datasource-rest';

/** The shape of `fetch` that a data source calls. */
export type Fetcher = NonNullable<DataSourceConfig['fetch']>;

export interface DeadlineFetchOptions {
  /** Time until a call is given up, body included. @unit milliseconds @defaultValue 3000 */
  readonly timeoutMs?: number;
  /** Longest answer that is read. @unit bytes @defaultValue 1048576 */
  readonly maxBytes?: number;
}

/** The backend answered with a redirect or with more than we are ready to read. The message is for the log. */
class BackendAnswerRefused extends Error {
  override readonly name = 'BackendAnswerRefused';
}

/** A `fetch` for calls to a backend of our own: with a deadline, a bounded body, and no redirects, which could lead anywhere. */
export function createDeadlineFetch({ timeoutMs = 3_000, maxBytes = 1_048_576 }: DeadlineFetchOptions = {}): Fetcher {
  return async (url, init) => {
    const response = await fetch(url, {
      method: init?.method ?? 'GET',
      headers: init?.headers ?? {},
      body: typeof init?.body === 'string' ? init.body : null,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new BackendAnswerRefused(`redirect ${response.status}`);
    }
    const { status, statusText, headers } = response;
    const body = await readBounded(response, maxBytes);
    return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
  };
}

async function readBounded(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new BackendAnswerRefused(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
