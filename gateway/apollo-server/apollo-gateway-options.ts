import type { GraphQLDataSource, ServiceEndpointDefinition, SupergraphManager, SupergraphSdlHook } from '@apollo/gateway';
import type { GatewayConfigInput } from '../config/sections.ts';
import type { PoliciesHook } from '../pipeline/decide-access.ts';
import type { Logger } from '../platform/logger.ts';
import type { Principal } from '../platform/principal.ts';
import type { IncomingRequest } from './gateway-interface.ts';

type Level = keyof TextLogger;

/** Our log lines, facts first, for a logger that takes texts: the message, then the facts as JSON. */
export function toLogger(target: TextLogger): Logger {
  const at = (level: Level) => (facts: unknown, message?: string) => {
    if (typeof facts === 'string') target[level](facts);
    else target[level](`${message ?? ''} ${JSON.stringify(facts, withErrors)}`.trimStart());
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** An error has no enumerable properties: as it is, JSON would show none of it. */
function withErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return value.cause === undefined
    ? { message: value.message, stack: value.stack }
    : { message: value.message, stack: value.stack, cause: value.cause };
}

/** Settings of gatefold that mean something behind Apollo Server, each with the content that `createGateway` takes. */
export type EngineSettings = Pick<GatewayConfigInput, 'subgraphs' | 'graphql' | 'limits' | 'identity' | 'logging'>;

/** Where the lines of the log go: the logger of Apollo Server, or any other that takes texts. */
export interface TextLogger {
  debug(message?: string): void;
  info(message?: string): void;
  warn(message?: string): void;
  error(message?: string): void;
}

/** The options of `new ApolloGateway(…)` that mean something here, and those of gatefold. */
export interface ApolloGatewayOptions extends EngineSettings {
  /**
   * The supergraph: its text, a function that gives the text and may hand over newer ones by `update`, or a manager with
   * such a function, as `IntrospectAndCompose` is. Reads and limits of one text are those of `createGateway`.
   */
  readonly supergraphSdl: string | SupergraphSdlHook | SupergraphManager;
  /**
   * Makes what asks one subgraph, called once for each name and address. Its `process` gets `signal` besides what it gets
   * from `ApolloGateway`: it aborts when the answer is no longer waited for. The client settings of `subgraphs`, but for
   * `requestTimeoutMs`, and `identity` do not reach requests that are sent this way.
   *
   * @defaultValue our own HTTP client
   */
  readonly buildService?: (definition: ServiceEndpointDefinition) => GraphQLDataSource;
  /** @defaultValue JSON lines on standard error, from `logging.level` on */
  readonly logger?: TextLogger;
  /**
   * Who asks: decides what `@authenticated`, `@requiresScopes`, `@policy` and `@auth` let through, and goes to the subgraphs in the
   * identity header. Without it a supergraph with any of the first three is refused, and `@auth` is left to the subgraphs.
   *
   * @defaultValue every caller is anonymous
   */
  readonly principal?: (request: IncomingRequest) => Principal | Promise<Principal>;
  /** Decides `@policy`. @defaultValue no caller fulfils any */
  readonly policies?: PoliciesHook;
  /** Aborts when the client has left, for those who can tell: Apollo Server does not. @defaultValue never aborts */
  readonly signal?: (request: IncomingRequest) => AbortSignal | undefined;
  /**
   * Keeps the data as the text that the engine has written, for `stringifyResult` to put into the answer. Plugins that look
   * at the data see it as values, which then are serialised again.
   *
   * @defaultValue false
   */
  readonly serialisedData?: boolean;
}

const OWN_OPTIONS: ReadonlySet<string> = new Set<keyof ApolloGatewayOptions>([
  'supergraphSdl',
  'buildService',
  'logger',
  'policies',
  'principal',
  'signal',
  'serialisedData',
  'subgraphs',
  'graphql',
  'limits',
  'identity',
  'logging',
]);

const UPLINK = 'pass a manager: supergraphSdl: new UplinkSupergraphManager({ … })';
const BY_FUNCTION = 'pass a function: supergraphSdl: async ({ update }) => ({ supergraphSdl })';

/** Options of `ApolloGateway` that mean nothing here, and what to write instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  serviceList: 'pass a manager: supergraphSdl: new IntrospectAndCompose({ subgraphs })',
  introspectionHeaders: 'give it to IntrospectAndCompose',
  pollIntervalInMs: 'give it to the manager that polls, such as IntrospectAndCompose',
  serviceHealthCheck: 'give subgraphHealthCheck to IntrospectAndCompose, or call healthCheck in a function of your own',
  localServiceList: 'pass a manager: supergraphSdl: new LocalCompose({ localServiceList })',
  experimental_updateServiceDefinitions: BY_FUNCTION,
  experimental_updateSupergraphSdl: BY_FUNCTION,
  uplinkEndpoints: UPLINK,
  uplinkMaxRetries: UPLINK,
  fallbackPollIntervalInMs: UPLINK,
  schemaConfigDeliveryEndpoint: UPLINK,
  fetcher: 'give it to the data source that buildService makes, or set the limits of our client under subgraphs',
  queryPlannerConfig: 'remove it: plans are made by gatefold, which has no such settings',
  experimental_approximateQueryPlanStoreMiB: 'set graphql.maxCachedOperations and graphql.maxCachedOperationBytes',
  experimental_autoFragmentization: 'remove it: requests to subgraphs are written by gatefold',
  experimental_didResolveQueryPlan: 'remove it: plans are not shown',
  experimental_didUpdateSupergraph: 'use onSchemaLoadOrUpdate of the gateway',
  __exposeQueryPlanExperimental: 'remove it: plans are not shown',
  debug: 'set logging.level: debug',
  telemetry: 'remove it: the gateway reports to no collector',
  validateSupergraph: 'remove it: a supergraph is always validated',
};

/**
 * Refuses what would be read by nobody.
 *
 * @throws Error that names every such option, and what to write instead
 */
export function checkApolloGatewayOptions(options: ApolloGatewayOptions): void {
  const faults = Object.entries(options)
    .filter(([name, value]) => !OWN_OPTIONS.has(name) && value !== undefined)
    .map(([name]) => `${name}: ${INSTEAD[name] ?? 'there is no such option'}.`);
  const { supergraphSdl } = options;
  const isSource =
    typeof supergraphSdl === 'string' || typeof supergraphSdl === 'function' || typeof supergraphSdl?.initialize === 'function';
  if (!isSource) faults.push(`supergraphSdl: it is missing; give the text, a function or a manager. For managed federation, ${UPLINK}.`);
  if (faults.length > 0) throw new Error(['createApolloGateway does not take these options:', ...faults].join('\n  '));
}
