import { createTextClient, type TextClient } from '../../platform/http/client/fetch-text.ts';
import { startPolling } from '../../platform/start-polling.ts';
import type { Composition, SdlFile, SubgraphSource } from '../compose-subgraphs.ts';
import { SupergraphInvalid } from '../supergraph-invalid.ts';
import { composeAside, type CompositionLimits } from './compose-aside.ts';
import { CompositionFailed } from './composition-failed.ts';
import { introspectSubgraph, SERVICE_QUERY } from './introspect-subgraph.ts';
import type { SupergraphListener, SupergraphSource } from './supergraph-source.ts';
import type { PollSettings } from './url-source.ts';
import { watchSdlFiles } from './watch-sdl-files.ts';

/** A subgraph of the list. */
export interface ListedSubgraph {
  readonly name: string;
  /** URL that is written to the supergraph. May be empty if the configuration defines the address. */
  readonly url: string;
  /** Files with the SDL of the subgraph. Without them, the SDL is fetched from the subgraph. */
  readonly files?: readonly string[] | undefined;
  /** URL to fetch the SDL from. @defaultValue its `url` */
  readonly requestedAt?: string | undefined;
  /** Headers of the request for the SDL. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Receives the SDL of one subgraph. */
export interface SubgraphListener {
  /** Called with the SDL after each successful poll, even if it has not changed. @param url URL that is written to the supergraph */
  onSdl(files: readonly SdlFile[], url: string): void;
  /** Called after a failed poll. */
  onFailure(error: Error): void;
}

/** Reports the SDL of one subgraph until it is disposed. */
export type WatchSubgraph = (name: string, listener: SubgraphListener) => AsyncDisposable;

export interface CompositionSettings {
  /** Timeout for composition. @unit milliseconds */
  readonly compositionTimeoutMs: number;
  /** Composes the subgraphs. @defaultValue composition in a child process */
  readonly compose?: ((subgraphs: readonly SubgraphSource[], limits: CompositionLimits) => Promise<Composition>) | undefined;
}

export interface SubgraphsSourceOptions extends PollSettings, CompositionSettings {
  readonly subgraphs: readonly ListedSubgraph[];
  /** Returns further headers that authenticate the gateway to a subgraph. */
  readonly headersFor?: ((subgraph: string, body: string) => Readonly<Record<string, string>>) | undefined;
}

/** Creates a source that composes a list of subgraphs, whose SDL is read from files or fetched from the subgraphs. */
export function createSubgraphsSource(options: SubgraphsSourceOptions): SupergraphSource {
  const { subgraphs } = options;
  const client = createTextClient();
  const byName = new Map(subgraphs.map((subgraph) => [subgraph.name, subgraph]));
  const source = createComposedSource([...byName.keys()], { ...options, watch });

  function watch(name: string, listener: SubgraphListener): AsyncDisposable {
    const subgraph = byName.get(name);
    if (subgraph === undefined) throw new Error(`Unknown subgraph "${name}".`);
    return watchListed(subgraph, listener, { ...options, client });
  }

  return {
    ...source,
    isLocal: subgraphs.every(({ files }) => files !== undefined),
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

interface WatchListedOptions extends PollSettings, Pick<SubgraphsSourceOptions, 'headersFor'> {
  readonly client: TextClient;
}

function watchListed(
  { name, url, requestedAt = url, files, headers }: ListedSubgraph,
  { onSdl, onFailure }: SubgraphListener,
  { client, pollIntervalMs: intervalMs, requestTimeoutMs: timeoutMs, maxBytes, sleep, headersFor }: WatchListedOptions,
): AsyncDisposable {
  if (files !== undefined) {
    return watchSdlFiles({ subgraph: name, files, intervalMs, maxBytes, onFiles: (read) => onSdl(read, url), onFailure });
  }
  return startPolling({
    intervalMs,
    sleep,
    async look(signal) {
      const sent = { ...headers, ...headersFor?.(name, SERVICE_QUERY) };
      const text = await introspectSubgraph(client, { url: requestedAt, headers: sent, timeoutMs, maxBytes, signal });
      onSdl([{ path: url, text }], url);
      return 0;
    },
    onFailure: (error) => onFailure(error as Error),
  });
}

export interface ComposedSourceOptions extends CompositionSettings {
  readonly watch: WatchSubgraph;
}

/**
 * Creates a source that composes subgraphs, again whenever the SDL of one of them changes. If a subgraph is unreachable, its last SDL is
 * used, so that changes of other subgraphs still take effect. Every subgraph must have been reachable once.
 *
 * Reports a `CompositionFailed` if the subgraphs do not compose.
 *
 * @param names names of the subgraphs, in the order of composition
 */
export function createComposedSource(names: readonly string[], options: ComposedSourceOptions): SupergraphSource {
  const { watch, compositionTimeoutMs: timeoutMs, compose = composeAside } = options;
  const closing = new AbortController();
  const read = new Map<string, SubgraphSource>();
  const failures = new Map<string, Error>();
  const lookouts: AsyncDisposable[] = [];
  let composed: string | undefined;
  let isStale = false;
  let composing: Promise<void> | undefined;

  function take(next: SubgraphSource, listener: SupergraphListener): void {
    failures.delete(next.name);
    if (isSame(read.get(next.name), next)) {
      // Reports the supergraph again, because the listener was notified of a failure that is now resolved.
      if (failures.size === 0 && composed !== undefined && composing === undefined) listener.onSupergraph(composed);
      return;
    }
    read.set(next.name, next);
    if (read.size < names.length) return;
    isStale = true;
    composing ??= composeWhileStale(listener);
  }

  function miss(name: string, failure: Error, { onProblem }: SupergraphListener): void {
    failures.set(name, failure);
    const missing = names.flatMap((other) => {
      const error = failures.get(other);
      return error === undefined ? [] : [`${other}: ${error.message}`];
    });
    onProblem(new SupergraphInvalid(`The SDL of some subgraphs could not be fetched: ${missing.join(' ')}`, { cause: failure }));
  }

  async function composeWhileStale({ onSupergraph, onProblem }: SupergraphListener): Promise<void> {
    while (isStale && !closing.signal.aborted) {
      isStale = false;
      composed = undefined;
      try {
        const subgraphs = names.flatMap((name) => read.get(name) ?? []);
        const composition = await compose(subgraphs, { timeoutMs, signal: closing.signal });
        if (isStale) continue; // An SDL has changed in the meantime.
        if (composition.errors !== undefined) throw new CompositionFailed(composition.errors);
        composed = composition.supergraphSdl;
        onSupergraph(composed);
      } catch (error) {
        if (!closing.signal.aborted) onProblem(error as Error);
      }
    }
    composing = undefined;
  }

  return {
    name: `the subgraphs ${names.join(', ')}`,
    isLocal: false,
    start(listener) {
      const watched = names.map((name) =>
        watch(name, {
          onSdl: (files, url) => take({ name, url, files }, listener),
          onFailure: (error) => miss(name, error, listener),
        }),
      );
      lookouts.push(...watched);
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(lookouts.map((lookout) => lookout[Symbol.asyncDispose]()));
      await composing;
    },
  };
}

function isSame(previous: SubgraphSource | undefined, next: SubgraphSource): boolean {
  if (previous === undefined || previous.url !== next.url || previous.files.length !== next.files.length) return false;
  return next.files.every(({ path, text }, index) => previous.files[index]?.path === path && previous.files[index].text === text);
}
