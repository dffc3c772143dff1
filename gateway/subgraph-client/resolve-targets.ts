import type { SubgraphAddress } from '../supergraph/load-supergraph.ts';

/** Where the requests to one subgraph go. */
export interface SubgraphTarget {
  readonly name: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

/** Settings of single subgraphs, by name. */
export type SubgraphOverrides = Readonly<Record<string, { readonly url?: string | undefined }>>;

/**
 * The address of every subgraph: the configured one, else the supergraph's own.
 *
 * @throws Error when a subgraph has no address that HTTP can reach, with the key that sets it
 */
export function resolveTargets(
  subgraphs: ReadonlyMap<string, SubgraphAddress>,
  override: SubgraphOverrides,
): ReadonlyMap<string, SubgraphTarget> {
  return new Map([...subgraphs.values()].map(({ name, url }) => [name, toTarget(name, override[name]?.url ?? url)]));
}

function toTarget(name: string, text: string): SubgraphTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new Error(
      `Subgraph "${name}" has no usable address (http or https, without credentials): ` +
        `set subgraphs.override.${name}.url or SUBGRAPH_${name.toUpperCase().replaceAll('-', '_')}_URL.`,
    );
  }
  return { name, origin: url.origin, path: url.pathname + url.search };
}
