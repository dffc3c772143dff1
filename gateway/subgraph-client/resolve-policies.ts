import type { SubgraphOverride, SubgraphPolicies } from '../config/sections/subgraphs.ts';

/**
 * What holds for one subgraph: its own settings above those for all. Rules for headers add up, so that one subgraph can get
 * one header more without repeating the others; `remove` takes away what is for all.
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

/** A key that is written without a value says nothing. */
function above<Settings extends object>(
  all: Settings,
  own: { readonly [Key in keyof Settings]?: Settings[Key] | undefined } = {},
): Settings {
  return { ...all, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) };
}
