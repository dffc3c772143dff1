import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { requestServer } from './request-server.ts';
import type { DescribedInterface } from './described-interface.ts';
import { type RecordedExchange, recordResponse } from './record-response.ts';

/** A response that does not match its description. */
export interface InvalidResponse {
  /** Method and target of the request. */
  readonly what: string;
  readonly issues: readonly string[];
  readonly text: string;
}

export interface ResponseWatch {
  /** Returns the violations since the last call, after all earlier responses are checked. */
  issues(): Promise<readonly InvalidResponse[]>;
  stop(): void;
}

/** Node publishes every request that a server of this process receives, before the request listeners run. */
const REQUESTS = 'http.server.request.start';

interface StartedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
}

/** State of a server. */
interface WatchedServer {
  /** The request that identified the server as a REST facade, and the description that it served at that time. */
  found: { readonly by: IncomingMessage; described: Promise<readonly DescribedInterface[]> } | undefined;
  /** Error responses sent before that. */
  readonly early: RecordedExchange[];
}

/** Maximum number of error responses per server that wait for its description. */
const MOST_EARLY = 100;

/** Number of versions that are read at once, because a server may close immediately after its response. */
const MOST_VERSIONS = 4;

const OWN_PAGES = /\/(?:docs(?:\/.*)?|openapi\.(?:json|yaml))$/;

/**
 * Checks every response of every REST facade in this process against the description of the same server, for every client, and even for a response that the test does not read. The `API-Version` header of a response identifies a facade.
 */
export function watchResponses(): ResponseWatch {
  const servers = new WeakMap<Server, WatchedServer>();
  const pending = new Set<Promise<void>>();
  const reported: InvalidResponse[] = [];

  function watchedOf(server: Server): WatchedServer {
    const watched = servers.get(server) ?? { found: undefined, early: [] };
    servers.set(server, watched);
    return watched;
  }

  function classifyLater(exchange: RecordedExchange, server: Server): void {
    const what = `${exchange.method} ${exchange.target.slice(0, 200)}`;
    const classified = classify(exchange, server)
      .then((issues) => void (issues.length > 0 && reported.push({ what, issues, text: exchange.text.slice(0, 1_000) })))
      .catch((error: unknown) => void reported.push({ what, issues: [String(error)], text: '' }))
      .finally(() => pending.delete(classified));
    pending.add(classified);
  }

  async function classify(exchange: RecordedExchange, server: Server): Promise<readonly string[]> {
    const { found } = watchedOf(server);
    if (found === undefined) return [];
    const described = await found.described;
    const issues = await errorsOf(exchange, described);
    if (issues.length === 0) return [];
    // The server may have loaded another graph since.
    found.described = readDescriptions(server, exchange.target, found.by);
    return errorsOf(exchange, await found.described);
  }

  function onRequest({ request, response, server }: StartedRequest): void {
    const watched = watchedOf(server);
    recordResponse(request, response, {
      onHead(headers) {
        if (headers['api-version'] === undefined || watched.found !== undefined) return;
        watched.found = { by: request, described: readDescriptions(server, request.url ?? '/', request) };
      },
      onEnd(exchange) {
        if (watched.found === undefined) {
          if (exchange.status >= 400 && watched.early.length < MOST_EARLY) watched.early.push(exchange);
          return;
        }
        for (const one of [...watched.early.splice(0), exchange]) classifyLater(one, server);
      },
    });
  }

  const listener = (message: unknown): void => onRequest(message as StartedRequest);
  subscribe(REQUESTS, listener);
  return {
    async issues() {
      while (pending.size > 0) await Promise.all(pending);
      return reported.splice(0);
    },
    stop: () => unsubscribe(REQUESTS, listener),
  };
}

async function errorsOf(exchange: RecordedExchange, interfaces: readonly DescribedInterface[]): Promise<readonly string[]> {
  const { target, status, headers } = exchange;
  const [path = ''] = target.split('?', 1);
  const isOfFacade = headers['api-version'] !== undefined;
  // Another application may serve its own pages next to the facade.
  if (!isOfFacade && (OWN_PAGES.test(path) || interfaces.every((described) => described.locate(path) === undefined))) return [];
  if (isOfFacade && interfaces.length === 0) return status >= 400 ? [] : ['the server has no description'];
  // Loaded lazily, like the reader of descriptions: few test files use a facade, but every one installs the watch.
  const { responseIssues } = await import('./response-issues.ts');
  return responseIssues(exchange, interfaces);
}

/** Reads the description of every version, at the root or below the path where another server mounts the facade. */
async function readDescriptions(server: Server, target: string, like: IncomingMessage): Promise<readonly DescribedInterface[]> {
  const [path = ''] = target.split('?', 1);
  const segments = path.split('/');
  for (let count = 1; count < segments.length; count += 1) {
    const prefix = segments.slice(0, count).join('/');
    const versions = Array.from({ length: MOST_VERSIONS }, (_, index) => index + 1);
    const responses = await Promise.all(versions.map((version) => requestServer(server, `${prefix}/v${version}/openapi.json`, like)));
    const texts = responses.flatMap(({ status, text }) => (status === 200 && DESCRIPTION.test(text) ? [text] : []));
    if (texts.length === 0) continue;
    const { readDescriptionText } = await import('./described-interface.ts');
    return texts.map(readDescriptionText);
  }
  return [];
}

const DESCRIPTION = /^\{\s*"openapi"/;
