import type { ResponsesSection } from '../../config/sections/responses.ts';
import type { Hooks } from '../hooks.ts';
import { isHeaderValue } from '../../config/sections/header-rules.ts';
import { mergeCacheControl } from './merge-cache-control.ts';

/** Maximum number of values of one header that are passed on. */
const MAX_VALUES = 50;

/** Headers of the subgraph responses of one request. */
interface Collected {
  /** Rules of the time at which the request began. */
  readonly rules: ResponsesSection['headers'];
  /** Values by header name, one list for each response, in the order in which the responses arrived. */
  readonly values: Map<string, (readonly string[])[]>;
}

/** Key of the headers in the state of a request. */
const COLLECTED = Symbol('headers of subgraphs');

export interface PassResponseHeadersOptions {
  /** Rules by header name. Called for each request, because the rules can be reloaded. */
  readonly rulesOf: () => ResponsesSection['headers'];
  /** Request headers that select different responses. */
  readonly varyingHeaders: readonly string[];
}

/**
 * Creates the hooks of `responses.headers`. A response that caches may share gets no header of a subgraph: the header would be stored with
 * it, and belongs to the request that was executed.
 */
export function passResponseHeaders({ rulesOf, varyingHeaders }: PassResponseHeadersOptions): Hooks {
  // Connectors of a new supergraph can add names, so the text is made for each response.
  const vary = (): string => ['Authorization', 'X-API-Key', ...varyingHeaders].join(', ');
  return {
    onRequest({ state }) {
      state.set(COLLECTED, { rules: rulesOf(), values: new Map() } satisfies Collected);
    },
    onSubgraphResponse({ request, headers }) {
      const collected = request?.state.get(COLLECTED) as Collected | undefined;
      if (collected === undefined) return;
      for (const name of Object.keys(collected.rules)) {
        const values = collected.values.get(name) ?? [];
        values.push(valuesOf(headers[name]));
        collected.values.set(name, values);
      }
    },
    onResponse({ request, kind, errorCodes, isCacheable }) {
      const collected = request.state.get(COLLECTED) as Collected | undefined;
      if (collected === undefined || isCacheable) return undefined;
      const passed: Record<string, string | readonly string[]> = {};
      for (const [name, rule] of Object.entries(collected.rules)) {
        const values = collected.values.get(name) ?? [];
        if (rule === 'mostRestrictive') {
          if (kind === 'query' && errorCodes.length === 0) Object.assign(passed, mergeCaching(name, values, vary()));
        } else {
          const merged = mergeBy(rule, values);
          if (merged.length > 0) passed[name] = merged;
        }
      }
      return Object.keys(passed).length === 0 ? undefined : { headers: passed };
    },
  };
}

/** Returns the valid values. A value that other HTTP libraries would reject must not make the response fail. */
function valuesOf(sent: string | readonly string[] | undefined): readonly string[] {
  return (typeof sent === 'string' ? [sent] : (sent ?? [])).filter(isHeaderValue);
}

function mergeBy(rule: 'append' | 'first' | 'last', values: readonly (readonly string[])[]): readonly string[] {
  if (rule === 'append') return values.flat().slice(0, MAX_VALUES);
  const present = values.filter((one) => one.length > 0);
  return (rule === 'first' ? present[0] : present.at(-1)) ?? [];
}

/** Merges a header about caching. Without a value in one of the responses, the lifetime of that response is unknown. */
function mergeCaching(name: string, values: readonly (readonly string[])[], vary: string): Readonly<Record<string, string>> {
  if (values.length === 0) return {};
  const texts = values.map((one) => (one.length === 0 ? undefined : one.join(', ')));
  if (name === 'cache-control') return { [name]: mergeCacheControl(texts), vary };
  const numbers = texts.map((text) => (name === 'age' ? Number(text) : Date.parse(text ?? ''))).filter((number) => Number.isFinite(number));
  if (name === 'age') return numbers.length === 0 ? {} : { [name]: String(Math.max(...numbers)) };
  return numbers.length < texts.length ? {} : { [name]: new Date(Math.min(...numbers)).toUTCString() };
}
