import { isUtf8 } from 'node:buffer';
import type { Agent, request } from 'undici';
import { systemErrorCode } from '../../file-errors.ts';
import { Unreachable } from '../../start-polling.ts';

/** One request for a text. */
export interface TextRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What bounds the answer. */
export interface TextLimits {
  /** Until it must be there in full. @unit milliseconds */
  readonly timeoutMs: number;
  /** @unit bytes */
  readonly maxBytes: number;
  /** Gives up. */
  readonly signal: AbortSignal;
}

export interface TextAnswer {
  readonly status: number;
  /** Of the header `etag`. */
  readonly etag: string | undefined;
  /** Empty where the status is 304. */
  readonly text: string;
}

/** Asks for texts, each over a connection of its own: a kept one would have died between two looks more often than not. */
export interface TextClient extends AsyncDisposable {
  /** @throws Unreachable when nothing that can be read arrives */
  fetch(request: TextRequest, limits: TextLimits): Promise<TextAnswer>;
}

/** Loaded when something is fetched: most gateways read files, and it is large. */
interface Fetcher {
  readonly agent: Agent;
  readonly request: typeof request;
}

async function loadFetcher(): Promise<Fetcher> {
  const undici = await import('undici');
  return { agent: new undici.Agent({ pipelining: 0 }), request: undici.request };
}

type Received = Awaited<ReturnType<typeof request>>;

/** Follows no redirects, takes no encoded body, and reads no byte more than it may. */
export function createTextClient(): TextClient {
  let loading: Promise<Fetcher> | undefined;

  async function exchange({ url, method, headers, body }: TextRequest, maxBytes: number, signal: AbortSignal): Promise<TextAnswer> {
    loading ??= loadFetcher();
    const fetcher = await loading;
    const received = await fetcher.request(url, {
      dispatcher: fetcher.agent,
      method,
      headers: { 'accept-encoding': 'identity', ...headers },
      body: body ?? null,
      signal,
      // The deadline covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      return await read(received, url, maxBytes);
    } finally {
      // What of it is not read is cut off, which is an event of the body too: without a listener it would end the process.
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
        () => controller.abort(new Unreachable(`${shownUrl(wanted.url)} did not answer within ${timeoutMs} ms.`)),
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

async function read({ statusCode, headers, body }: Received, url: string, maxBytes: number): Promise<TextAnswer> {
  const refuse = (reason: string): Unreachable => new Unreachable(`${shownUrl(url)} ${reason}.`);
  const { 'content-encoding': coding = 'identity', etag } = headers;
  const answer = { status: statusCode, etag: typeof etag === 'string' ? etag : undefined };
  if (statusCode === 304) return { ...answer, text: '' };
  if (statusCode >= 300 && statusCode < 400) throw refuse(`answered with a redirect (${statusCode}), and none is followed`);
  if (coding !== 'identity') throw refuse(`answered with the content encoding ${String(coding)}, which was not asked for`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw refuse(`answered with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, size);
  if (!isUtf8(bytes)) throw refuse('answered with a text that is not UTF-8');
  return { ...answer, text: bytes.toString('utf8') };
}

/** Without what may be secret: credentials and query. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
