import type { GatewayConfigInput } from '../../../gateway/index.ts';
import { isRecord } from '../../../gateway/subgraph-client/read-response.ts';
import type { LoadedSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';

/** Configuration of the other router in terms of the gateway. */
export interface TranslatedConfiguration {
  readonly config: GatewayConfigInput;
  /** URL of the service to which the other router sends each request, and which adds values to `$context`. */
  readonly coprocessorUrl: string | undefined;
  /** Sections without an equivalent, each with the reason why the result of an operation does not depend on it. */
  readonly ignored: readonly string[];
}

/** Supergraph, clients and files to which a configuration refers. */
export interface ConfiguredGraph {
  readonly supergraph: Pick<LoadedSupergraph, 'connectors' | 'subgraphs'>;
  /** Names of the headers of all requests of clients, for rules that match names by a pattern. */
  readonly clientHeaders: readonly string[];
  /** Returns the path of a file that the configuration names. */
  readonly fileOf: (path: string) => string;
}

type SubgraphSettings = NonNullable<NonNullable<GatewayConfigInput['subgraphs']>['override']>[string];
type ConnectorSettings = NonNullable<NonNullable<GatewayConfigInput['connectors']>['subgraphs']>[string];
type SourceSettings = NonNullable<ConnectorSettings['sources']>[string];
type Values = NonNullable<ConnectorSettings['config']>;

/** Sections and keys that do not change data, errors or requests to back ends. */
const IGNORED: Readonly<Record<string, string>> = {
  telemetry: 'it names exporters of that router',
  plugins: 'its only plugin adds the query plan of that router to the response',
  'connectors.debug_extensions': 'it adds the requests of connectors to the response, in a format of that router',
  'connectors.expose_sources_in_context': 'it adds the names of sources to requests to a coprocessor',
};

/**
 * Translates a configuration. Keys without an equivalent must be known.
 *
 * @throws Error for a key that has neither an equivalent nor a reason
 */
export function translateConfiguration(router: unknown, graph: ConfiguredGraph): TranslatedConfiguration {
  return new Translation(graph).translate(sectionOf(router));
}

class Translation {
  readonly #graph: ConfiguredGraph;
  readonly #ignored: string[] = [];
  readonly #subgraphs = new Map<string, SubgraphSettings>();
  readonly #connectors = new Map<string, { config: Values; sources: Map<string, SourceSettings>; settings: ConnectorSettings }>();
  #errorMessages: 'listed' | 'all' = 'listed';
  #maxRequests: number | undefined;
  #limits: GatewayConfigInput['limits'];
  #persisted: GatewayConfigInput['persisted'];
  #coprocessorUrl: string | undefined;

  constructor(graph: ConfiguredGraph) {
    this.#graph = graph;
  }

  translate(router: Section): TranslatedConfiguration {
    for (const [key, value] of Object.entries(router)) this.#section(key, value);
    const connectors = [...this.#connectors].map(([name, { config, sources, settings }]) => [
      name,
      { ...settings, config, sources: Object.fromEntries(sources) },
    ]);
    return {
      config: {
        subgraphs: { errorMessages: this.#errorMessages, override: Object.fromEntries(this.#subgraphs) },
        connectors: {
          subgraphs: Object.fromEntries(connectors) as Record<string, ConnectorSettings>,
          ...(this.#maxRequests === undefined ? {} : { maxRequestsPerOperation: this.#maxRequests }),
        },
        ...(this.#limits === undefined ? {} : { limits: this.#limits }),
        ...(this.#persisted === undefined ? {} : { persisted: this.#persisted }),
      },
      coprocessorUrl: this.#coprocessorUrl,
      ignored: this.#ignored,
    };
  }

  #section(key: string, value: unknown): void {
    if (this.#isIgnored(key)) return;
    switch (key) {
      case 'include_subgraph_errors':
        return this.#errors(sectionOf(value));
      case 'override_subgraph_url':
        return this.#urls(sectionOf(value));
      case 'connectors':
        return this.#connectorsSection(sectionOf(value));
      case 'demand_control':
        return this.#demandControl(sectionOf(value));
      case 'persisted_queries':
        return this.#persistedQueries(sectionOf(value));
      case 'headers':
        return this.#headers(sectionOf(sectionOf(sectionOf(value)['connector'])['all'])['request']);
      case 'coprocessor':
        this.#coprocessorUrl = textOf(sectionOf(value)['url']);
        return;
      default:
        throw new Error(`The section ${key} of a configuration has no translation.`);
    }
  }

  #isIgnored(key: string): boolean {
    const reason = IGNORED[key];
    if (reason !== undefined) this.#ignored.push(`${key}: ${reason}`);
    return reason !== undefined;
  }

  #errors(section: Section): void {
    this.#errorMessages = section['all'] === true ? 'all' : 'listed';
    for (const [name, isIncluded] of Object.entries(sectionOf(section['subgraphs']))) {
      this.#override(name, { errorMessages: isIncluded === true ? 'all' : 'listed' });
    }
  }

  #urls(section: Section): void {
    for (const [name, url] of Object.entries(section)) {
      const isServer = this.#graph.supergraph.subgraphs.has(name) && !this.#connectedSubgraphs().includes(name);
      if (isServer) this.#override(name, { url: textOf(url) });
      else this.#ignored.push(`override_subgraph_url.${name}: the supergraph has no server of this name`);
    }
  }

  #connectorsSection(section: Section): void {
    for (const [key, value] of Object.entries(section)) {
      if (this.#isIgnored(`connectors.${key}`)) continue;
      if (key === 'max_requests_per_operation_per_source') this.#maxRequests = numberOf(value);
      else if (key === 'sources') this.#sources(sectionOf(value));
      else if (key === 'subgraphs') for (const [name, one] of Object.entries(sectionOf(value))) this.#subgraph(name, sectionOf(one));
      else throw new Error(`The key connectors.${key} of a configuration has no translation.`);
    }
  }

  /** Translates sources by the name of their subgraph and their own name: `shop.api`. */
  #sources(section: Section): void {
    for (const [path, value] of Object.entries(section)) {
      const [subgraph = '', ...rest] = path.split('.');
      this.#source(subgraph, rest.join('.'), sectionOf(value));
    }
  }

  #subgraph(name: string, section: Section): void {
    if (section['$config'] !== undefined) Object.assign(this.#connected(name).config, section['$config']);
    for (const [source, value] of Object.entries(sectionOf(section['sources']))) this.#source(name, source, sectionOf(value));
  }

  #source(subgraph: string, source: string, section: Section): void {
    const known = [...(this.#graph.supergraph.connectors?.values() ?? [])].map(({ connector }) => connector);
    if (!known.some((one) => one.subgraph === subgraph && one.source?.name === source)) {
      this.#ignored.push(`connectors.sources.${subgraph}.${source}: the supergraph has no such source`);
      return;
    }
    const { override_url: url, max_requests_per_operation: max, $config: config } = section;
    const { sources } = this.#connected(subgraph);
    sources.set(source, {
      ...sources.get(source),
      ...(url === undefined ? {} : { baseUrl: textOf(url) }),
      ...(max === undefined ? {} : { maxRequestsPerOperation: numberOf(max) }),
      ...(config === undefined ? {} : { config: sectionOf(config) as Values }),
    });
  }

  #demandControl(section: Section): void {
    if (section['enabled'] !== true) return;
    const { max, list_size: size } = sectionOf(sectionOf(section['strategy'])['static_estimated']);
    const cost = section['mode'] === 'enforce' ? 'enforce' : 'measure';
    this.#limits = { maxCost: numberOf(max), assumedListSize: numberOf(size), modes: { cost } };
  }

  #persistedQueries(section: Section): void {
    if (section['enabled'] !== true) return;
    const files = Array.isArray(section['local_manifests']) ? section['local_manifests'].map(textOf) : [];
    const manifests = Object.fromEntries(files.map((file, index) => [`client${String(index)}`, this.#graph.fileOf(file)]));
    this.#persisted = { manifests, mode: section['log_unknown'] === true ? 'log' : 'off' };
  }

  #headers(rules: unknown): void {
    const headers = {
      propagate: [] as string[],
      rename: {} as Record<string, string>,
      set: {} as Record<string, string>,
      remove: [] as string[],
    };
    for (const rule of Array.isArray(rules) ? rules.map(sectionOf) : []) {
      const [[kind, value] = ['', undefined]] = Object.entries(rule);
      const { named, rename, matching, name, value: text } = sectionOf(value);
      if (kind === 'insert') headers.set[textOf(name)] = textOf(text);
      else if (kind === 'remove') headers.remove.push(textOf(named));
      else if (kind === 'propagate' && rename !== undefined) headers.rename[textOf(named)] = textOf(rename);
      else if (kind === 'propagate' && named !== undefined) headers.propagate.push(textOf(named));
      else if (kind === 'propagate')
        headers.propagate.push(...this.#graph.clientHeaders.filter((header) => new RegExp(textOf(matching)).test(header)));
      else throw new Error(`A rule for headers has no translation: ${JSON.stringify(rule)}`);
    }
    for (const name of this.#connectedSubgraphs()) this.#override(name, { headers });
  }

  #connectedSubgraphs(): readonly string[] {
    return [...new Set([...(this.#graph.supergraph.connectors?.values() ?? [])].map(({ connector }) => connector.subgraph))];
  }

  #override(name: string, settings: SubgraphSettings): void {
    this.#subgraphs.set(name, { ...this.#subgraphs.get(name), ...settings });
  }

  #connected(name: string) {
    const settings = this.#connectors.get(name) ?? { config: {}, sources: new Map<string, SourceSettings>(), settings: {} };
    this.#connectors.set(name, settings);
    return settings;
  }
}

type Section = Readonly<Record<string, unknown>>;

function sectionOf(value: unknown): Section {
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`A configuration has ${JSON.stringify(value)} where a text was expected.`);
  return value;
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError(`A configuration has ${JSON.stringify(value)} where a number was expected.`);
  return value;
}
