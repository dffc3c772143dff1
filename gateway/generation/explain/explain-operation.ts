import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql';
import { createAccessRules } from '../../authorization/access-rules.ts';
import { compileRules } from '../../authorization/compile-rules.ts';
import { compileAuthorization } from '../../authorization/operation-authorization.ts';
import { coalescingOf } from '../coalescing-of.ts';
import { type CompileInput, createGeneration } from '../create-generation.ts';
import type { Generation } from '../generation.ts';
import type { PreparedOperation } from '../prepared-operation.ts';
import { bindVariables, type CanonicalOperation, createCanonicalizer } from '../../operation/normalize/canonical-operation.ts';
import { isolateOperation, verbatimOperation } from '../../operation/normalize/verbatim-operation.ts';
import { OperationRejected, type RequestError } from '../../operation/operation-rejected.ts';
import { selectOperation } from '../../operation/select-operation.ts';
import { coerceVariables } from '../../operation/variables/coerce-variables.ts';
import { createOperationLocator } from '../../operation/locate-in-document.ts';
import { createQueryPlanner } from '../../planning/create-query-planner.ts';
import { createInProcessPlanner } from '../../planning/worker/in-process-planner.ts';
import { GatewayError } from '../../platform/errors.ts';
import { silentLogger } from '../../platform/logger.ts';
import type { Principal } from '../../platform/principal.ts';
import type { LoadedSupergraph } from '../../supergraph/load-supergraph.ts';
import type { ResolvedGatewayConfig } from '../../config/resolve-gateway-config.ts';
import { type DescribedFetch, describeFetches } from './describe-fetches.ts';
import { findGuardedPaths, type GuardedPaths } from './find-guarded-paths.ts';

/** Supergraph, settings and request for which an operation is planned. */
export interface PlanRequest {
  readonly loaded: LoadedSupergraph;
  readonly config: Pick<ResolvedGatewayConfig, 'graphql' | 'limits' | 'subgraphs'>;
  /** Values of the variables. Undefined: unknown, and the plan is made if it does not depend on them. */
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
  /** Active labels of `@override`. */
  readonly labels: readonly string[];
  /** Caller. Undefined: one who may read every field. */
  readonly principal: Principal | undefined;
  /** Whether the client accepts an incremental response. */
  readonly acceptsIncrements: boolean;
}

/** Query plan of an operation, for readers and programs: the JSON result of `gatefold plan`. Its keys are public. */
export interface ExplainedOperation {
  readonly operation: { readonly name: string | null; readonly kind: PreparedOperation['kind'] };
  /** Estimated cost, which is null if the values of required variables are unknown, and maximum cost. @unit points */
  readonly cost: { readonly estimated: number | null; readonly maximum: number };
  /** Values of the variables in `@skip`, `@include` and `@defer` for which the plan is made. */
  readonly conditions: Readonly<Record<string, boolean>>;
  /** Labels of `@override` that the plan depends on, and whether they are active. */
  readonly labels: Readonly<Record<string, boolean>>;
  /** Fields that the caller may not read. Empty lists without a caller, who may then read every field. */
  readonly access: GuardedPaths;
  /** Number of requests that wait for each other, at most. */
  readonly steps: number;
  readonly fetches: readonly DescribedFetch[];
}

/**
 * Plans an operation as a gateway does: it is checked against the limits, validated, normalized, and planned for its conditions.
 *
 * @throws OperationRejected with locations, and GatewayError, for an operation that a gateway rejects
 */
export async function explainOperation(text: string, request: PlanRequest): Promise<ExplainedOperation> {
  const compiled: CompileInput[] = [];
  await using generation = createPlanningGeneration(request, (input) => compiled.push(input));
  const { schema } = generation;
  const { document } = generation.prepare(text);
  const operation = selectNamed(document, request.operationName);
  const name = operation.name?.value;
  const prepared = generation.prepareOperation(text, name);
  const canonical = createCanonicalizer(schema)(document, operation, false) ?? verbatimOperation(isolateOperation(document, operation));
  const labels = prepared.labels ?? [];
  const activeLabels = labels.filter((label) => request.labels.includes(label));
  const { values, cost } = await located(document, name, async () => {
    const bound = bind({ prepared, operation, canonical, schema }, request);
    const isDeferring = request.acceptsIncrements && prepared.isDeferred?.(bound.values) === true;
    const access = request.principal === undefined ? '' : prepared.authorization?.decide(request.principal);
    await prepared.executable(bound.values, activeLabels, isDeferring, { access });
    const estimated = bound.isComplete ? prepared.cost(bound.values) : null;
    return { values: bound.values, cost: { estimated, maximum: prepared.worstCost() } };
  });
  const [input] = compiled;
  if (input === undefined) throw new Error('The operation was prepared without a plan.');
  const clientNames = new Map(canonical.variables.map(({ name: own, canonicalName }) => [canonicalName, own]));
  const fetches = describeFetches(input, { clientNames, values }, request.loaded.connectors);
  return {
    operation: { name: name ?? null, kind: prepared.kind },
    cost,
    conditions: Object.fromEntries(Object.entries(input.conditions).map(([own, value]) => [clientNames.get(own) ?? own, value])),
    labels: Object.fromEntries(labels.map((label) => [label, activeLabels.includes(label)])),
    access: findGuardedPaths(input, canonical.aliases),
    steps: Math.max(0, ...fetches.map(({ step }) => step)),
    fetches,
  };
}

interface Normalized {
  readonly prepared: PreparedOperation;
  readonly operation: OperationDefinitionNode;
  readonly canonical: CanonicalOperation;
  readonly schema: GraphQLSchema;
}

/** Creates a generation that plans in this thread and never sends a request. */
function createPlanningGeneration({ loaded, config }: PlanRequest, onCompiled: (input: CompileInput) => void): Generation {
  const { graphql, limits } = config;
  const coalesce = coalescingOf(config, loaded.connectors);
  const compiled = compileRules(loaded.graph, loaded.authorization, loaded.creatorGrants, loaded.connectors);
  const rules = compiled && createAccessRules(loaded.schema, compiled);
  const unused = async (): Promise<never> => Promise.reject(new Error('A plan is printed and not executed.'));
  return createGeneration({
    loaded,
    planner: createInProcessPlanner(createQueryPlanner(loaded.sdl, { coalesce })),
    executor: Object.assign(unused, { [Symbol.asyncDispose]: async () => undefined }),
    compile(input) {
      onCompiled(input);
      return { execute: unused };
    },
    authorizationOf: rules && ((document) => compileAuthorization(loaded.schema, rules, document, selectOperation(document))),
    settings: { ...graphql, isSchemaShown: true, limits },
    logger: silentLogger,
  });
}

function selectNamed(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  try {
    return selectOperation(document, name);
  } catch (error) {
    if (!(error instanceof OperationRejected)) throw error;
    const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    if (operations.length === 0) throw error;
    const known = operations.map((operation) => operation.name?.value ?? 'an anonymous one').join(', ');
    const subject = name === undefined ? 'The document contains several operations' : `The document contains no operation named "${name}"`;
    throw new OperationRejected(error.code, [{ message: `${subject}. Select one of these by name: ${known}.` }]);
  }
}

interface BoundVariables {
  /** Values by the names of the normalized operation, with the values of literals. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether the values of all required variables are known. */
  readonly isComplete: boolean;
}

/** Coerces the variables. Without values for required variables, returns those of the literals and the defaults. */
function bind({ prepared, operation, canonical, schema }: Normalized, { variables, config }: PlanRequest): BoundVariables {
  const optional = (operation.variableDefinitions ?? []).filter(
    ({ type, defaultValue }) => type.kind !== Kind.NON_NULL_TYPE || defaultValue !== undefined,
  );
  const isComplete = variables !== undefined || optional.length === (operation.variableDefinitions ?? []).length;
  if (isComplete) return { values: prepared.coerceVariables(variables ?? {}), isComplete };
  const { maxVariableDepth: maxDepth, maxErrors } = config.graphql;
  const defaults = coerceVariables(schema, { variableDefinitions: optional }, {}, { maxDepth, maxErrors });
  return { values: bindVariables(canonical, defaults), isComplete };
}

/** Matches the variable name in messages about the value of a variable. */
const VARIABLE = /^Variable "\$([_A-Za-z][_0-9A-Za-z]*)/;

/** Runs a step of the preparation. Adds the location of the variable to errors about variables. */
async function located<Result>(document: DocumentNode, operationName: string | undefined, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'BAD_USER_INPUT') throw error;
    const locator = createOperationLocator(document, operationName);
    const errors = error instanceof OperationRejected ? error.errors : [{ message: error.message }];
    throw new OperationRejected(
      error.code,
      errors.map(({ message, locations }): RequestError => {
        const name = VARIABLE.exec(message)?.[1];
        const location = name === undefined ? undefined : locator.ofVariable(name);
        const found = locations ?? (location === undefined ? undefined : [location]);
        return found === undefined ? { message } : { message, locations: found };
      }),
    );
  }
}
