import type { Composition, SubgraphSource } from '../compose-subgraphs.ts';
import { SupergraphInvalid } from '../supergraph-invalid.ts';
import { composeAside, type CompositionLimits } from './compose-aside.ts';
import { createTextClient } from '../../platform/http/client/fetch-text.ts';
import { introspectSubgraph, SERVICE_QUERY } from './introspect-subgraph.ts';
import { startPolling } from '../../platform/start-polling.ts';
import type { SupergraphListener, SupergraphSource } from './supergraph-source.ts';
import type { PollSettings } from './url-source.ts';
import { watchFile } from '../../platform/follow-file.ts';

/** A subgraph of the list. */
export interface ListedSubgraph {
  readonly name: string;
  /** URL that is written to the supergraph. */
  readonly url: string;
  /** File with the SDL of the subgraph. Without it, the SDL is fetched from the subgraph. */
  readonly schema?: string | undefined;
  /** URL to fetch the SDL from. @defaultValue its `url` */
  readonly requestedAt?: string | undefined;
  /** Headers of the request for the SDL. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface SubgraphsSourceOptions extends PollSettings {
  readonly subgraphs: readonly ListedSubgraph[];
  /** Timeout for composition. @unit milliseconds */
  readonly compositionTimeoutMs: number;
  /** Returns further headers that authenticate the gateway to a subgraph. */
  readonly headersFor?: ((subgraph: string, body: string) => Readonly<Record<string, string>>) | undefined;
  /** Composes the subgraphs. @defaultValue composition in a child process */
  readonly compose?: ((subgraphs: readonly SubgraphSource[], limits: CompositionLimits) => Promise<Composition>) | undefined;
}

/** Maximum number of composition errors to report. */
const MAX_REASONS = 10;

/**
 * Creates a source that composes a list of subgraphs, again whenever the SDL of one of them changes. If a subgraph is unreachable, its last
 * SDL is used, so that changes of other subgraphs still take effect. Every subgraph must have been reachable once.
 */
export function createSubgraphsSource(options: SubgraphsSourceOptions): SupergraphSource {
  const { subgraphs, compositionTimeoutMs: timeoutMs, compose = composeAside } = options;
  const client = createTextClient();
  const closing = new AbortController();
  const texts = new Map<string, string>();
  const failures = new Map<string, Error>();
  const lookouts: AsyncDisposable[] = [];
  let composed: string | undefined;
  let isStale = false;
  let composing: Promise<void> | undefined;

  function lookAt(subgraph: ListedSubgraph, listener: SupergraphListener): AsyncDisposable {
    const { name, url, requestedAt = url, schema, headers } = subgraph;
    const { pollIntervalMs: intervalMs, requestTimeoutMs, maxBytes, sleep, headersFor } = options;
    const onText = (text: string): void => take(name, text, listener);
    const onFailure = (error: unknown): void => miss(name, error as Error, listener);
    if (schema !== undefined) {
      return watchFile({ path: schema, subject: `The SDL of the subgraph "${name}"`, intervalMs, maxBytes, onText, onFailure });
    }
    return startPolling({
      intervalMs,
      sleep,
      async look(signal) {
        const sent = { ...headers, ...headersFor?.(name, SERVICE_QUERY) };
        onText(await introspectSubgraph(client, { url: requestedAt, headers: sent, timeoutMs: requestTimeoutMs, maxBytes, signal }));
        return 0;
      },
      onFailure,
    });
  }

  function take(name: string, text: string, listener: SupergraphListener): void {
    failures.delete(name);
    if (texts.get(name) === text) {
      // Reports the supergraph again, because the listener was notified of a failure that is now resolved.
      if (failures.size === 0 && composed !== undefined && composing === undefined) listener.onSupergraph(composed);
      return;
    }
    texts.set(name, text);
    if (texts.size < subgraphs.length) return;
    isStale = true;
    composing ??= composeWhileStale(listener);
  }

  function miss(name: string, failure: Error, { onProblem }: SupergraphListener): void {
    failures.set(name, failure);
    const missing = subgraphs.flatMap((subgraph) => {
      const error = failures.get(subgraph.name);
      return error === undefined ? [] : [`${subgraph.name}: ${error.message}`];
    });
    onProblem(new SupergraphInvalid(`The SDL of some subgraphs could not be fetched: ${missing.join(' ')}`, { cause: failure }));
  }

  async function composeWhileStale({ onSupergraph, onProblem }: SupergraphListener): Promise<void> {
    while (isStale && !closing.signal.aborted) {
      isStale = false;
      composed = undefined;
      try {
        const composition = await compose(subgraphs.map(toSource), { timeoutMs, signal: closing.signal });
        if (isStale) continue; // An SDL has changed in the meantime.
        if (composition.errors !== undefined) throw new SupergraphInvalid(describe(composition.errors));
        composed = composition.supergraphSdl;
        onSupergraph(composed);
      } catch (error) {
        if (!closing.signal.aborted) onProblem(error as Error);
      }
    }
    composing = undefined;
  }

  function toSource({ name, url, schema }: ListedSubgraph): SubgraphSource {
    return { name, url, files: [{ path: schema ?? url, text: texts.get(name) ?? '' }] };
  }

  return {
    name: `the subgraphs ${subgraphs.map(({ name }) => name).join(', ')}`,
    isLocal: subgraphs.every(({ schema }) => schema !== undefined),
    start(listener) {
      lookouts.push(...subgraphs.map((subgraph) => lookAt(subgraph, listener)));
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(lookouts.map((lookout) => lookout[Symbol.asyncDispose]()));
      await composing;
      await client[Symbol.asyncDispose]();
    },
  };
}

function describe(errors: NonNullable<Composition['errors']>): string {
  const reasons = errors.slice(0, MAX_REASONS).map(({ code, message, locations: [at] }) => {
    const location = at === undefined ? '' : ` (${at.file}:${at.line}:${at.column})`;
    return `${code === undefined ? '' : `${code}: `}${message}${location}`;
  });
  const rest = errors.length - reasons.length;
  return `The subgraphs do not compose: ${reasons.join('; ')}${rest > 0 ? `; and ${rest} more errors` : ''}`;
}
