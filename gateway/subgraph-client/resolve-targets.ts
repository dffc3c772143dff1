import type { SubgraphOverride, SubgraphPolicies, SubgraphsConfig } from '../config/sections/subgraphs.ts';
import { SupergraphInvalid } from '../supergraph/supergraph-invalid.ts';
import type { SubgraphAddress } from '../supergraph/read-subgraphs.ts';

/**
 * Merges the settings of one subgraph over the settings for all subgraphs. Header rules are combined, so that a subgraph can add a header
 * without repeating the others. `remove` deletes headers that are set for all.
 */
export function resolvePolicies(all: SubgraphPolicies, own: SubgraphOverride | undefined): SubgraphPolicies {
  if (own === undefined) return all;
  const removed = new Set([...all.headers.remove, ...(own.headers?.remove ?? [])]);
  return {
    connectTimeoutMs: own.connectTimeoutMs ?? all.connectTimeoutMs,
    requestTimeoutMs: own.requestTimeoutMs ?? all.requestTimeoutMs,
    maxResponseBytes: own.maxResponseBytes ?? all.maxResponseBytes,
    maxErrors: own.maxErrors ?? all.maxErrors,
    errorCodes: [...new Set([...all.errorCodes, ...(own.errorCodes ?? [])])],
    errorMessages: own.errorMessages ?? all.errorMessages,
    maxConnections: own.maxConnections ?? all.maxConnections,
    coalesce: own.coalesce ?? all.coalesce,
    dedupe: own.dedupe ?? all.dedupe,
    retry: above(all.retry, own.retry),
    circuitBreaker: above(all.circuitBreaker, own.circuitBreaker),
    bulkhead: above(all.bulkhead, own.bulkhead),
    headers: {
      propagate: [...new Set([...all.headers.propagate, ...(own.headers?.propagate ?? [])])],
      rename: { ...all.headers.rename, ...own.headers?.rename },
      set: { ...all.headers.set, ...own.headers?.set },
      remove: [...removed],
    },
    tls: above(all.tls, own.tls),
    subscriptions: above(all.subscriptions, own.subscriptions),
  };
}

/** Number of responses of maximum size that one operation may receive by default. */
const DEFAULT_LARGEST_RESPONSES = 8;

/** Returns the maximum total size of the responses of one operation. @unit bytes */
export function responseBytesPerOperation({ maxResponseBytesPerOperation, maxResponseBytes, override }: SubgraphsConfig): number {
  if (maxResponseBytesPerOperation !== undefined) return maxResponseBytesPerOperation;
  const sizes = Object.values(override).map((own) => own.maxResponseBytes ?? maxResponseBytes);
  return DEFAULT_LARGEST_RESPONSES * Math.max(maxResponseBytes, ...sizes);
}

/**
 * Returns the header rules for the back ends of a subgraph with connectors. Only the rules of this subgraph apply, and all removals: rules
 * for all subgraphs may name credentials that another organization must not receive.
 */
export function headerRulesOfConnectors(all: SubgraphPolicies, own: SubgraphOverride | undefined): SubgraphPolicies['headers'] {
  const { propagate = [], rename = {}, set = {}, remove = [] } = own?.headers ?? {};
  return { propagate, rename, set, remove: [...new Set([...all.headers.remove, ...remove])] };
}

/** Merges settings. A key without a value is ignored. */
function above<Settings extends object>(
  all: Settings,
  own: { readonly [Key in keyof Settings]?: Settings[Key] | undefined } = {},
): Settings {
  return { ...all, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) };
}

/** Target of the requests to one subgraph. */
export interface SubgraphTarget {
  readonly name: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

/** Settings of individual subgraphs, by name. */
export type SubgraphOverrides = Readonly<Record<string, { readonly url?: string | undefined }>>;

/**
 * Resolves the address of every subgraph: the configured one or else that of the supergraph.
 *
 * @throws SupergraphInvalid when subgraphs have no HTTP address. The error lists these subgraphs and the keys that set their addresses.
 */
export function resolveTargets(
  subgraphs: ReadonlyMap<string, SubgraphAddress>,
  override: SubgraphOverrides,
): ReadonlyMap<string, SubgraphTarget> {
  const targets = [...subgraphs.values()].map(({ name, url }) => toTarget(name, override[name]?.url ?? url));
  const lost = [...subgraphs.keys()].filter((_name, index) => targets[index] === undefined);
  if (lost.length > 0) throw new SupergraphInvalid(describe(lost));
  return new Map(targets.flatMap((target) => (target === undefined ? [] : [[target.name, target]])));
}

function toTarget(name: string, text: string): SubgraphTarget | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return { name, origin: url.origin, path: url.pathname + url.search };
}

function describe(names: readonly string[]): string {
  const one = (name: string) =>
    `  ${name}: set subgraphs.override.${name}.url or SUBGRAPH_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_URL.`;
  return ['These subgraphs have no valid address. Expected an http or https URL without credentials:', ...names.map(one)].join('\n');
}
