import { parse } from 'graphql';
import { type TextClient, shownUrl } from '../../platform/http/client/fetch-text.ts';
import { Unreachable } from '../../platform/start-polling.ts';

export interface IntrospectionRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Timeout for the complete response. @unit milliseconds */
  readonly timeoutMs: number;
  /** Maximum size of the response. @unit bytes */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Query for the SDL of a subgraph (Apollo Federation subgraph specification, "Enhanced introspection with Query._service"). */
export const SERVICE_QUERY = JSON.stringify({ query: '{ _service { sdl } }' });

/**
 * Fetches the SDL of a running subgraph.
 *
 * @throws Unreachable when the subgraph returns no SDL, or a text that is not SDL
 */
export async function introspectSubgraph(client: TextClient, request: IntrospectionRequest): Promise<string> {
  const { url, headers, ...limits } = request;
  const { status, text } = await client.fetch(
    {
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json', ...headers },
      body: SERVICE_QUERY,
    },
    limits,
  );
  const sdl = sdlIn(text);
  if (sdl === undefined) throw new Unreachable(`${shownUrl(url)} responded with status ${status} and without its SDL.`);
  try {
    parse(sdl, { noLocation: true });
  } catch (cause) {
    throw new Unreachable(`${shownUrl(url)} responded with SDL that does not parse: ${(cause as Error).message}`, {
      cause,
    });
  }
  return sdl;
}

function sdlIn(text: string): string | undefined {
  try {
    const body = JSON.parse(text) as { readonly data?: { readonly _service?: { readonly sdl?: unknown } | null } | null } | null;
    const sdl = body?.data?._service?.sdl;
    return typeof sdl === 'string' && sdl.trim() !== '' ? sdl : undefined;
  } catch {
    return undefined;
  }
}
