import type { DataSourceConfig } from '@apollo/datasource-rest';

/** Type of the `fetch` function of a data source. */
export type Fetcher = NonNullable<DataSourceConfig['fetch']>;

export interface DeadlineFetchOptions {
  /** Timeout of a call, including the body. @unit milliseconds @defaultValue 3000 */
  readonly timeoutMs?: number;
  /** Maximum size of a response. @unit bytes @defaultValue 1048576 */
  readonly maxBytes?: number;
}

/** Thrown when the back end responds with a redirect or a response that is too large. The message is for the log. */
class BackendResponseRejected extends Error {
  override readonly name = 'BackendResponseRejected';
}

/** Creates a `fetch` function for calls to an internal back end. It has a deadline and a size limit, and follows no redirects. */
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
      throw new BackendResponseRejected(`redirect ${response.status}`);
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
    if (size > maxBytes) throw new BackendResponseRejected(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
