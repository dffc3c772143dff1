import type { ConnectorsConfig } from '../config/sections/connectors.ts';
import type { ConnectorDefinition } from '../connectors/definition/connector-definition.ts';
import type { VirtualSubgraph } from '../connectors/expand/virtual-subgraph.ts';
import { compileTemplate } from '../connectors/template/compile-template.ts';
import { parseOrigin } from '../connectors/template/parse-origin.ts';
import { parseUrlTemplate } from '../connectors/template/parse-url-template.ts';
import type { ConnectorSources } from '../subgraph-client/create-subgraph-client.ts';
import { SupergraphInvalid } from '../supergraph/supergraph-invalid.ts';
import type { RequestSource } from './connector-request.ts';
import type { FixedVariables } from './connector-variables.ts';
import { createRequestLimit, type RequestLimit } from './request-limit.ts';

/** A connector with the settings of its source. */
export interface ResolvedConnector {
  /** The connector, with the configured URL of its source. */
  readonly virtual: VirtualSubgraph;
  readonly source: RequestSource;
  readonly fixed: FixedVariables;
  readonly limit: RequestLimit;
}

/** All connectors of a supergraph, and where their requests are sent. */
export interface ResolvedConnectors {
  /** Connectors by the name of their virtual subgraph. */
  readonly connectors: ReadonlyMap<string, ResolvedConnector>;
  /** Sources by the name of the subgraph. */
  readonly sources: ReadonlyMap<string, ConnectorSources>;
}

/** Environment variables of the process. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Applies the section `connectors` to the connectors of a supergraph. A connector without a source gets one for its origin, which is its
 * name.
 *
 * @throws SupergraphInvalid when a setting names an unknown subgraph or source, or when a source has no valid URL. It lists all mistakes.
 */
export function resolveConnectors(
  virtual: ReadonlyMap<string, VirtualSubgraph>,
  config: ConnectorsConfig,
  environment: Environment,
): ResolvedConnectors {
  const mistakes = unknownNames(virtual, config);
  const env = allowedEnvironment(config.env, environment);
  const limits = new Map<string, RequestLimit>();
  const connectors = new Map<string, ResolvedConnector>();
  const origins = new Map<string, Map<string, string>>();
  for (const [name, one] of virtual) {
    const settings = settingsFor(one.connector, config);
    const connector = withBaseUrl(one.connector, settings.baseUrl);
    const fixed: FixedVariables = { config: settings.values, env };
    const origin = originOf(connector, fixed);
    if (origin === undefined) {
      mistakes.add(describeMissingUrl(connector));
      continue;
    }
    const { subgraph } = connector;
    const source = connector.source?.name ?? origin;
    const key = JSON.stringify([subgraph, source]);
    const limit = limits.get(key) ?? createRequestLimit(settings.maxRequestsPerOperation);
    limits.set(key, limit);
    origins.set(subgraph, (origins.get(subgraph) ?? new Map<string, string>()).set(source, origin));
    connectors.set(name, { virtual: { ...one, connector }, source: { name: source, origin }, fixed, limit });
  }
  if (mistakes.size > 0) throw new SupergraphInvalid([...mistakes].join('\n'));
  const sources = [...origins].map(
    ([name, own]) => [name, { origins: own, sendsIdentity: find(config.subgraphs, name)?.sendIdentity ?? false }] as const,
  );
  return { connectors, sources: new Map(sources) };
}

function allowedEnvironment(names: readonly string[], environment: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

interface SourceSettings {
  readonly baseUrl: string | undefined;
  /** Values of `$config`. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly maxRequestsPerOperation: number;
}

function settingsFor({ subgraph, source }: ConnectorDefinition, config: ConnectorsConfig): SourceSettings {
  const own = find(config.subgraphs, subgraph);
  const ofSource = source === undefined ? undefined : find(own?.sources ?? {}, source.name);
  return {
    baseUrl: ofSource?.baseUrl,
    values: { ...own?.config, ...ofSource?.config },
    maxRequestsPerOperation: ofSource?.maxRequestsPerOperation ?? own?.maxRequestsPerOperation ?? config.maxRequestsPerOperation,
  };
}

/** Finds settings by name. Environment variables can contain only capitals and underscores, so other characters are ignored. */
function find<Settings>(all: Readonly<Record<string, Settings>>, name: string): Settings | undefined {
  if (Object.hasOwn(all, name)) return all[name];
  return Object.entries(all).find(([written]) => bare(written) === bare(name))?.[1];
}

function bare(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
}

function withBaseUrl(connector: ConnectorDefinition, baseUrl: string | undefined): ConnectorDefinition {
  const { source, version } = connector;
  if (baseUrl === undefined || source === undefined) return connector;
  return { ...connector, source: { ...source, baseUrl: parseUrlTemplate(baseUrl, version, 'base') } };
}

/** @returns scheme, host and port; undefined if the URL is not valid */
function originOf({ http, source }: ConnectorDefinition, { config, env }: FixedVariables): string | undefined {
  const template = (source?.baseUrl ?? http.url).origin;
  if (template === undefined) return undefined;
  try {
    return parseOrigin(compileTemplate(template, 'baseURL')({ $config: config, $env: env })).origin;
  } catch {
    return undefined; // The error may contain values of the configuration, so the message names only the setting.
  }
}

function describeMissingUrl({ subgraph, source, type, field }: ConnectorDefinition): string {
  if (source === undefined) {
    return `The connector of ${field === undefined ? type : `${type}.${field}`} in subgraph ${subgraph} has no valid absolute URL.`;
  }
  return (
    `The source ${source.name} of subgraph ${subgraph} has no valid http or https URL without credentials. ` +
    `Set the variables of its baseURL, or connectors.subgraphs.${subgraph}.sources.${source.name}.baseUrl.`
  );
}

function unknownNames(virtual: ReadonlyMap<string, VirtualSubgraph>, { subgraphs }: ConnectorsConfig): Set<string> {
  const mistakes = new Set<string>();
  const known = [...virtual.values()].map(({ connector }) => connector);
  for (const [name, { sources }] of Object.entries(subgraphs)) {
    const own = known.filter(({ subgraph }) => bare(subgraph) === bare(name));
    const names = [
      ...new Set((own.length === 0 ? known : own).flatMap(({ subgraph, source }) => (own.length === 0 ? subgraph : (source?.name ?? [])))),
    ];
    if (own.length === 0) {
      mistakes.add(`connectors.subgraphs.${name}: no subgraph of this name has connectors. Expected one of: ${names.join(', ')}.`);
      continue;
    }
    for (const source of Object.keys(sources)) {
      if (names.some((one) => bare(one) === bare(source))) continue;
      mistakes.add(
        `connectors.subgraphs.${name}.sources.${source}: the subgraph has no such source. Expected one of: ${names.join(', ')}.`,
      );
    }
  }
  return mistakes;
}
