import type { GatewayConfigInput } from '../config/sections.ts';
import type { PoliciesHook } from '../pipeline/stages/authorize.ts';
import type { Logger } from '../platform/logger.ts';
import type { Principal } from '../platform/principal.ts';
import type { DataSource, SubgraphEndpoint, SupergraphHook, SupergraphProvider } from './data-source.ts';
import type { IncomingRequest } from './gateway-interface.ts';

type Level = keyof TextLogger;

/** Adapts a logger that takes texts. Each line is the message, followed by the facts as JSON. */
export function toLogger(target: TextLogger): Logger {
  const at = (level: Level) => (facts: unknown, message?: string) => {
    if (typeof facts === 'string') target[level](facts);
    else target[level](`${message ?? ''} ${JSON.stringify(facts, withErrors)}`.trimStart());
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Makes errors visible in JSON, which omits their properties because they are not enumerable. */
function withErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return value.cause === undefined
    ? { message: value.message, stack: value.stack }
    : { message: value.message, stack: value.stack, cause: value.cause };
}

/** Gatefold settings that apply with Apollo Server, with the same content as in `createGateway`. */
export type EngineSettings = Pick<GatewayConfigInput, 'subgraphs' | 'graphql' | 'limits' | 'identity' | 'logging'>;

/** Logger for text lines, such as the logger of Apollo Server. */
export interface TextLogger {
  debug(message?: string): void;
  info(message?: string): void;
  warn(message?: string): void;
  error(message?: string): void;
}

/** Supported options of `new ApolloGateway(…)`, and the options of Gatefold. */
export interface ApolloGatewayOptions extends EngineSettings {
  /**
   * The supergraph: its text, a function that returns the text and may provide newer ones with `update`, or a manager with such a function,
   * such as `IntrospectAndCompose`. Validation and limits of each text are those of `createGateway`.
   */
  readonly supergraphSdl: string | SupergraphHook | SupergraphProvider;
  /**
   * Creates the data source of one subgraph. Called once for each name and address. In addition to the arguments of `ApolloGateway`, its
   * `process` gets `signal`, which aborts when the response is no longer needed. The client settings of `subgraphs`, except
   * `requestTimeoutMs`, and `identity` do not apply to these requests.
   *
   * @defaultValue the HTTP client of the gateway
   */
  readonly buildService?: (definition: SubgraphEndpoint) => DataSource;
  /** @defaultValue JSON lines on standard error, at `logging.level` and above */
  readonly logger?: TextLogger;
  /**
   * Identifies the caller. Its result determines what `@authenticated`, `@requiresScopes`, `@policy` and `@auth` allow, and is sent to
   * subgraphs in the identity header. Without this option, a supergraph with any of the first three directives is rejected, and `@auth` is
   * left to the subgraphs.
   *
   * @defaultValue every caller is anonymous
   */
  readonly principal?: (request: IncomingRequest) => Principal | Promise<Principal>;
  /** Decides `@policy`. @defaultValue no caller fulfills any policy */
  readonly policies?: PoliciesHook;
  /** Aborts when the client disconnects, if the application can detect it: Apollo Server does not. @defaultValue never aborts */
  readonly signal?: (request: IncomingRequest) => AbortSignal | undefined;
  /**
   * Retains the data as the text that the engine has printed, so that `stringifyResult` can copy it into the response. Plugins that read
   * the data get values, which are then serialized again.
   *
   * @defaultValue false
   */
  readonly serializedData?: boolean;
}

const OWN_OPTIONS: ReadonlySet<string> = new Set<keyof ApolloGatewayOptions>([
  'supergraphSdl',
  'buildService',
  'logger',
  'policies',
  'principal',
  'signal',
  'serializedData',
  'subgraphs',
  'graphql',
  'limits',
  'identity',
  'logging',
]);

const UPLINK = 'pass a manager: supergraphSdl: new UplinkSupergraphManager({ … })';
const BY_FUNCTION = 'pass a function: supergraphSdl: async ({ update }) => ({ supergraphSdl })';

/** Unsupported options of `ApolloGateway`, and their replacements. */
const INSTEAD: Readonly<Record<string, string>> = {
  serviceList: 'pass a manager: supergraphSdl: new IntrospectAndCompose({ subgraphs })',
  introspectionHeaders: 'give it to IntrospectAndCompose',
  pollIntervalInMs: 'give it to the manager that polls, such as IntrospectAndCompose',
  serviceHealthCheck: 'give subgraphHealthCheck to IntrospectAndCompose, or call healthCheck in your own function',
  localServiceList: 'pass a manager: supergraphSdl: new LocalCompose({ localServiceList })',
  experimental_updateServiceDefinitions: BY_FUNCTION,
  experimental_updateSupergraphSdl: BY_FUNCTION,
  uplinkEndpoints: UPLINK,
  uplinkMaxRetries: UPLINK,
  fallbackPollIntervalInMs: UPLINK,
  schemaConfigDeliveryEndpoint: UPLINK,
  fetcher: 'give it to the data source that buildService makes, or set the limits of the built-in client under subgraphs',
  queryPlannerConfig: 'remove it: Gatefold makes the plans and has no such settings',
  experimental_approximateQueryPlanStoreMiB: 'set graphql.maxCachedOperations and graphql.maxCachedOperationBytes',
  experimental_autoFragmentization: 'remove it: Gatefold writes the requests to subgraphs',
  experimental_didResolveQueryPlan: 'remove it: plans are not exposed',
  experimental_didUpdateSupergraph: 'use onSchemaLoadOrUpdate of the gateway',
  __exposeQueryPlanExperimental: 'remove it: plans are not exposed',
  debug: 'set logging.level: debug',
  telemetry: 'remove it: the gateway reports to no collector',
  validateSupergraph: 'remove it: a supergraph is always validated',
};

/**
 * Rejects options that would have no effect.
 *
 * @throws Error that lists every such option and its replacement
 */
export function checkApolloGatewayOptions(options: ApolloGatewayOptions): void {
  const issues = Object.entries(options)
    .filter(([name, value]) => !OWN_OPTIONS.has(name) && value !== undefined)
    .map(([name]) => `${name}: ${INSTEAD[name] ?? 'this option does not exist'}.`);
  const { supergraphSdl } = options;
  const isSource =
    typeof supergraphSdl === 'string' || typeof supergraphSdl === 'function' || typeof supergraphSdl?.initialize === 'function';
  if (!isSource) issues.push(`supergraphSdl: it is missing; pass the text, a function or a manager. For managed federation, ${UPLINK}.`);
  if (issues.length > 0) throw new Error(['createApolloGateway does not support these options:', ...issues].join('\n  '));
}
