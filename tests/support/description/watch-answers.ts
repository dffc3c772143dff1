import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { askServer } from './ask-server.ts';
import type { DescribedInterface } from './described-interface.ts';
import { type RecordedExchange, recordAnswer } from './record-answer.ts';

/** An answer that is not as described. */
export interface FaultyAnswer {
  /** Method and target of the request. */
  readonly what: string;
  readonly faults: readonly string[];
  readonly text: string;
}

export interface AnswerWatch {
  /** What was not as described since it was last asked, once all that was answered until now is held against its description. */
  faults(): Promise<readonly FaultyAnswer[]>;
  stop(): void;
}

/** Node publishes every request that a server of this process gets, before its listeners hear of it. */
const REQUESTS = 'http.server.request.start';

interface StartedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
}

/** A server, as far as it is known. */
interface WatchedServer {
  /** The request by which it was found to serve REST, and its description as it was served then. */
  found: { readonly by: IncomingMessage; described: Promise<readonly DescribedInterface[]> } | undefined;
  /** Refusals before that. */
  readonly early: RecordedExchange[];
}

/** Refusals of one server that wait for its description. */
const MOST_EARLY = 100;

/** Versions that are looked for, at once: a server may be closed as soon as it has answered. */
const MOST_VERSIONS = 4;

const OWN_PAGES = /\/(?:docs(?:\/.*)?|openapi\.(?:json|yaml))$/;

/**
 * Holds every answer of every REST facade that any server of this process serves against the description that the same server serves:
 * whoever asks, with whatever client, and whether or not the answer is read. A server is known for one by the `API-Version` of an answer.
 */
export function watchAnswers(): AnswerWatch {
  const servers = new WeakMap<Server, WatchedServer>();
  const pending = new Set<Promise<void>>();
  const told: FaultyAnswer[] = [];

  function watchedOf(server: Server): WatchedServer {
    const watched = servers.get(server) ?? { found: undefined, early: [] };
    servers.set(server, watched);
    return watched;
  }

  function judgeLater(exchange: RecordedExchange, server: Server): void {
    const what = `${exchange.method} ${exchange.target.slice(0, 200)}`;
    const judged = judge(exchange, server)
      .then((faults) => void (faults.length > 0 && told.push({ what, faults, text: exchange.text.slice(0, 1_000) })))
      .catch((error: unknown) => void told.push({ what, faults: [String(error)], text: '' }))
      .finally(() => pending.delete(judged));
    pending.add(judged);
  }

  async function judge(exchange: RecordedExchange, server: Server): Promise<readonly string[]> {
    const { found } = watchedOf(server);
    if (found === undefined) return [];
    const described = await found.described;
    const faults = await faultsOf(exchange, described);
    if (faults.length === 0) return [];
    // Another graph may have come since.
    found.described = readDescriptions(server, exchange.target, found.by);
    return faultsOf(exchange, await found.described);
  }

  function onRequest({ request, response, server }: StartedRequest): void {
    const watched = watchedOf(server);
    recordAnswer(request, response, {
      onHead(headers) {
        if (headers['api-version'] === undefined || watched.found !== undefined) return;
        watched.found = { by: request, described: readDescriptions(server, request.url ?? '/', request) };
      },
      onEnd(exchange) {
        if (watched.found === undefined) {
          if (exchange.status >= 400 && watched.early.length < MOST_EARLY) watched.early.push(exchange);
          return;
        }
        for (const one of [...watched.early.splice(0), exchange]) judgeLater(one, server);
      },
    });
  }

  const listener = (message: unknown): void => onRequest(message as StartedRequest);
  subscribe(REQUESTS, listener);
  return {
    async faults() {
      while (pending.size > 0) await Promise.all(pending);
      return told.splice(0);
    },
    stop: () => unsubscribe(REQUESTS, listener),
  };
}

async function faultsOf(exchange: RecordedExchange, interfaces: readonly DescribedInterface[]): Promise<readonly string[]> {
  const { target, status, headers } = exchange;
  const [path = ''] = target.split('?', 1);
  const isOfFacade = headers['api-version'] !== undefined;
  // Beside the facade, another application may have pages of its own.
  if (!isOfFacade && (OWN_PAGES.test(path) || interfaces.every((described) => described.locate(path) === undefined))) return [];
  if (isOfFacade && interfaces.length === 0) return status >= 400 ? [] : ['there is no description'];
  // Loaded here, as the reader of descriptions is: few test files have a facade, and every one has the watch.
  const { answerFaults } = await import('./answer-faults.ts');
  return answerFaults(exchange, interfaces);
}

/** Every version's description, from the root or from below the path where another server has mounted the facade. */
async function readDescriptions(server: Server, target: string, like: IncomingMessage): Promise<readonly DescribedInterface[]> {
  const [path = ''] = target.split('?', 1);
  const segments = path.split('/');
  for (let count = 1; count < segments.length; count += 1) {
    const prefix = segments.slice(0, count).join('/');
    const versions = Array.from({ length: MOST_VERSIONS }, (_, index) => index + 1);
    const answers = await Promise.all(versions.map((version) => askServer(server, `${prefix}/v${version}/openapi.json`, like)));
    const texts = answers.flatMap(({ status, text }) => (status === 200 && DESCRIPTION.test(text) ? [text] : []));
    if (texts.length === 0) continue;
    const { readDescriptionText } = await import('./described-interface.ts');
    return texts.map(readDescriptionText);
  }
  return [];
}

const DESCRIPTION = /^\{\s*"openapi"/;
