import { createTextClient, shownUrl } from '../../platform/http/client/fetch-text.ts';
import { type Sleep, startPolling, Unreachable } from '../../platform/start-polling.ts';
import type { SupergraphSource } from './supergraph-source.ts';

/** Settings for polling a URL. */
export interface PollSettings {
  /** Interval between two polls. @unit milliseconds */
  readonly pollIntervalMs: number;
  /** Timeout for the complete response. @unit milliseconds */
  readonly requestTimeoutMs: number;
  /** Maximum size of the response. @unit bytes */
  readonly maxBytes: number;
  /** Waits between polls. @defaultValue a timer */
  readonly sleep?: Sleep | undefined;
}

export interface UrlSourceOptions extends PollSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Creates a source that polls a web server or an object store. Sends conditional requests if the response has an entity tag (RFC 9110,
 * 13.1.2).
 */
export function createUrlSource(options: UrlSourceOptions): SupergraphSource {
  const { url, headers, pollIntervalMs, requestTimeoutMs, maxBytes, sleep } = options;
  const client = createTextClient();
  let polling: AsyncDisposable | undefined;
  let known: { readonly etag: string | undefined; readonly sdl: string } | undefined;

  async function look(signal: AbortSignal): Promise<string> {
    const condition = known?.etag === undefined ? {} : { 'if-none-match': known.etag };
    const response = await client.fetch(
      { url, method: 'GET', headers: { accept: 'application/graphql, text/plain, */*', ...headers, ...condition } },
      { timeoutMs: requestTimeoutMs, maxBytes, signal },
    );
    if (response.status === 304 && known !== undefined) return known.sdl;
    if (response.status !== 200) throw new Unreachable(`${shownUrl(url)} responded with status ${response.status}.`);
    known = { etag: response.etag, sdl: response.text };
    return response.text;
  }

  return {
    name: `the address ${shownUrl(url)}`,
    isLocal: false,
    start({ onSupergraph, onProblem }) {
      polling = startPolling({
        intervalMs: pollIntervalMs,
        sleep,
        async look(signal) {
          onSupergraph(await look(signal));
          return 0;
        },
        onFailure: (error) => onProblem(error as Error),
      });
    },
    async [Symbol.asyncDispose]() {
      await polling?.[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}
