import type { ConnectorDefinition } from '../connectors/definition/connector-definition.ts';
import type { MappingVariables } from '../connectors/selection/compiled-mapping.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { SubgraphContext } from '../supergraph/subgraph-executor.ts';
import { variableReadsOf } from './variable-reads.ts';

/** Variables that have the same values for all operations. */
export interface FixedVariables {
  /** Values of `$config`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Values of `$env`: the environment variables that the configuration allows. */
  readonly env: Readonly<Record<string, string>>;
}

/** Returns the variables of an operation. Those of a request and of its response are added later. */
export type VariablesOfOperation = (context: SubgraphContext) => MappingVariables;

/** Creates the variables of a connector. Variables that it does not use are not computed. */
export function createConnectorVariables(connector: ConnectorDefinition, { config, env }: FixedVariables): VariablesOfOperation {
  const fixed: MappingVariables = { $config: config, $env: env };
  const used = new Set(variableReadsOf(connector).map(({ variable }) => variable));
  const usesRequest = used.has('$request');
  const usesContext = used.has('$context');
  if (!usesRequest && !usesContext) return () => fixed;
  return (context) => ({
    $config: config,
    $env: env,
    $request: usesRequest ? { headers: listedHeaders(context.headers) } : undefined,
    $context: usesContext ? contextOf(context) : undefined,
  });
}

/** Returns headers with a list of values for each name. */
export function listedHeaders(headers: RequestHeaders): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, typeof value === 'string' ? [value] : value]])),
  );
}

/** Returns the data that hooks of the request have stored under names. */
function contextOf({ hooked }: SubgraphContext): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...(hooked?.state ?? [])].filter((entry): entry is [string, unknown] => typeof entry[0] === 'string'));
}
