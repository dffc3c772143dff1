import type { Agent, request } from 'undici';
import { decodeUtf8 } from '../../decode-utf8.ts';
import { systemErrorCode } from '../../file-errors.ts';
import { Unreachable } from '../../start-polling.ts';

/** Request for a text. */
export interface TextRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Limits of a response. */
export interface TextLimits {
  /** Timeout for the complete response. @unit milliseconds */
  readonly timeoutMs: number;
  /** Maximum size of the response body. @unit bytes */
  readonly maxBytes: number;
  /** Signal that aborts the request. */
  readonly signal: AbortSignal;
}

export interface TextResponse {
  readonly status: number;
  /** Value of the `etag` header. */
  readonly etag: string | undefined;
  /** Response body. Empty if the status is 304. */
  readonly text: string;
}

/** HTTP client for texts. Each request uses a new connection, because most idle connections would be closed before the next poll. */
export interface TextClient extends AsyncDisposable {
  /** Fetches a text. @throws Unreachable when no valid response is received */
  fetch(request: TextRequest, limits: TextLimits): Promise<TextResponse>;
}

/** HTTP library. It is large and most gateways only read files, so it is loaded on first use. */
interface Fetcher {
  readonly agent: Agent;
  readonly request: typeof request;
}

async function loadFetcher(): Promise<Fetcher> {
  const undici = await import('undici');
  return { agent: new undici.Agent({ pipelining: 0 }), request: undici.request };
}

type Received = Awaited<ReturnType<typeof request>>;

/** Creates a client that follows no redirects, accepts no content encodings, and reads at most the maximum size. */
export function createTextClient(): TextClient {
  let loading: Promise<Fetcher> | undefined;

  async function exchange({ url, method, headers, body }: TextRequest, maxBytes: number, signal: AbortSignal): Promise<TextResponse> {
    loading ??= loadFetcher();
    const fetcher = await loading;
    const received = await fetcher.request(url, {
      dispatcher: fetcher.agent,
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      body: body ?? null,
      signal,
      // The overall timeout covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      return await read(received, url, maxBytes);
    } finally {
      // Destroying an unread body emits an error. Without a listener, it would terminate the process.
      received.body.on('error', () => undefined).destroy();
    }
  }

  return {
    async fetch(wanted, { timeoutMs, maxBytes, signal }) {
      signal.throwIfAborted();
      const controller = new AbortController();
      const follow = (): void => controller.abort(signal.reason);
      signal.addEventListener('abort', follow, { once: true });
      const timer = setTimeout(
        () => controller.abort(new Unreachable(`${shownUrl(wanted.url)} did not respond within ${timeoutMs} ms.`)),
        timeoutMs,
      );
      try {
        return await exchange(wanted, maxBytes, controller.signal);
      } catch (error) {
        if (controller.signal.aborted) throw controller.signal.reason;
        if (error instanceof Unreachable) throw error;
        const reason = systemErrorCode(error) ?? (error instanceof Error ? error.message : String(error));
        throw new Unreachable(`${shownUrl(wanted.url)} cannot be reached: ${reason}.`, { cause: error });
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', follow);
      }
    },
    async [Symbol.asyncDispose]() {
      await (await loading)?.agent.destroy();
    },
  };
}

async function read({ statusCode, headers, body }: Received, url: string, maxBytes: number): Promise<TextResponse> {
  const refuse = (reason: string): Unreachable => new Unreachable(`${shownUrl(url)} ${reason}.`);
  const { 'content-encoding': coding = 'identity', etag } = headers;
  const response = { status: statusCode, etag: typeof etag === 'string' ? etag : undefined };
  if (statusCode === 304) return { ...response, text: '' };
  if (statusCode >= 300 && statusCode < 400) throw refuse(`responded with a redirect (${statusCode}), but redirects are not followed`);
  if (coding !== 'identity') throw refuse(`responded with the content encoding ${String(coding)}, which was not requested`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw refuse(`responded with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const text = decodeUtf8(Buffer.concat(chunks, size));
  if (text === undefined) throw refuse('responded with a body that is not valid UTF-8');
  return { ...response, text };
}

/** Returns the URL without credentials and query, which may be secret. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
