import type { ResolvedGatewayConfig } from '../../gateway/config/resolve-gateway-config.ts';
import { nearestKey } from '../../gateway/platform/nearest-key.ts';
import { CommandFailed } from '../command-failed.ts';

/** When a subgraph is mocked. A subgraph without a URL is always mocked. */
export type MockMode = 'never' | 'when-absent' | 'always';

/** Subgraph of the graph that is developed. */
export interface DevSubgraph {
  readonly name: string;
  /** Undefined for a subgraph that exists only as SDL. */
  readonly url: string | undefined;
  /** SDL files. Undefined if the SDL is fetched from `url`. */
  readonly files: readonly string[] | undefined;
  /** Headers of requests for the SDL. */
  readonly headers: Readonly<Record<string, string>>;
  readonly mock: MockMode;
}

/** Value of `--mock`: true for all absent subgraphs, or the names of subgraphs, which may be separated by commas. */
export type MockOption = true | readonly string[] | undefined;

/**
 * Returns the subgraphs of the configuration, with the addresses of `subgraphs.override`.
 *
 * @throws CommandFailed if `--mock` names a subgraph that does not exist
 */
export function listDevSubgraphs(
  { supergraph, subgraphs: { override } }: Pick<ResolvedGatewayConfig, 'supergraph' | 'subgraphs'>,
  mock: MockOption,
): readonly DevSubgraph[] {
  const { subgraphs = {} } = supergraph;
  const mocked = mock === undefined || mock === true ? [] : mock.flatMap((names) => names.split(',')).map((name) => name.trim());
  for (const name of mocked) requireKnown(name, Object.keys(subgraphs));
  return Object.entries(subgraphs).map(([name, { url: listed, files, headers }]) => {
    const url = override[name]?.url ?? listed;
    const isMocked = url === undefined || mocked.includes(name);
    return { name, url, files, headers, mock: isMocked ? 'always' : mock === true ? 'when-absent' : 'never' };
  });
}

function requireKnown(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const near = nearestKey(name, known);
  const hint = near === undefined ? `Known subgraphs: ${known.join(', ')}.` : `Did you mean ${near}?`;
  throw new CommandFailed(`--mock names the subgraph "${name}", which does not exist. ${hint}`, { exitCode: 2 });
}

/** Removes the addresses of `subgraphs.override`, which would take precedence over the addresses of mocks. */
export function withoutOverriddenUrls<Config extends Pick<ResolvedGatewayConfig, 'subgraphs'>>(config: Config): Config {
  const override = Object.fromEntries(Object.entries(config.subgraphs.override).map(([name, { url: _url, ...others }]) => [name, others]));
  return { ...config, subgraphs: { ...config.subgraphs, override } };
}
