import { SupergraphInvalid } from '../supergraph/errors.ts';
import type { SubgraphAddress } from '../supergraph/read-subgraphs.ts';

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
 * @throws SupergraphInvalid that names every subgraph without an address that HTTP can reach, with the key that sets it
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
  return ['These subgraphs have no usable address (http or https, without credentials):', ...names.map(one)].join('\n');
}
