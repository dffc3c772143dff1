import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../gateway/execution/compile-operation.ts';
import type { ExecutionResult } from '../../gateway/execution/executable-operation.ts';
import { createGeneration } from '../../gateway/generation/create-generation.ts';
import { type QueryPlannerOptions, createQueryPlanner } from '../../gateway/planning/create-query-planner.ts';
import { silentLogger } from '../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../gateway/platform/principal.ts';
import type { SubgraphExecutor } from '../../gateway/supergraph/subgraph-executor.ts';

/** Result that a client receives. */
export interface EngineResponse {
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly code: string; readonly path?: readonly (string | number)[] }[];
}

/** The initial payload, and the incremental payloads that follow. */
export interface EngineDependencies extends EngineResponse {
  readonly parts: readonly (readonly EnginePatch[])[];
}

export interface EnginePatch extends EngineResponse {
  readonly label: string | undefined;
  readonly path: readonly (string | number)[];
}

/** One operation for the engine. */
export interface EngineRequest {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Name of the operation. Absent if the document has one operation. */
  readonly operationName?: string | undefined;
  /** Active labels of `@override`. */
  readonly labels: readonly string[];
  readonly executor: SubgraphExecutor;
}

/** Input that an engine is created from. */
export interface EngineInput {
  readonly supergraphSdl: string;
  /** The public schema of the supergraph. Its resolvers are ignored. */
  readonly schema: GraphQLSchema;
  readonly planning?: QueryPlannerOptions;
}

type Question = Omit<EngineRequest, 'executor'>;

/** An engine that has loaded a supergraph. */
export interface Engine {
  /** @throws Error when the engine returns no result at all */
  respond(request: EngineRequest): Promise<EngineResponse>;
  /** Returns the initial and the incremental payloads of a deferred operation. @throws Error when the engine returns no result at all */
  respondInMultipart(request: EngineRequest): Promise<EngineDependencies>;
  /** Describes the plan for readers. */
  explain(request: Question): Promise<string>;
}

/** Limit for random operations: nothing is rejected. */
const MANY = 1_000_000;

const SETTINGS = {
  maxTokens: MANY,
  limits: {
    mode: 'enforce',
    maxDepth: MANY,
    maxIntrospectionDepth: MANY,
    maxAliases: MANY,
    maxRootFields: MANY,
    maxSelections: MANY,
    maxDirectives: MANY,
    maxDirectivesPerLocation: MANY,
    maxOperations: MANY,
    singleUse: [],
    assumedListSize: 10,
    maxPageSize: MANY,
  },
  maxErrors: 10,
  maxVariableDepth: 100,
  isSchemaShown: true,
  maxCachedOperations: 1_000,
  maxCachedOperationBytes: 100 * MANY,
} as const;

/**
 * Creates the engine under test: this file is all that the tests know of it. It does what a generation does with a client's document,
 * without transports and without the planner thread: parse, validate, canonicalize, plan, compile, execute.
 */
export function createEngine(input: EngineInput): Engine {
  const prepare = createPreparation(input, () => undefined);
  const execute = async ({ executor, ...question }: EngineRequest, isDeferring: boolean): Promise<ExecutionResult> => {
    const { executable, variables, aliases } = await prepare(question, isDeferring);
    return await executable.execute({
      variables,
      context: { principal: ANONYMOUS, correlationId: 'test', headers: {} },
      executor,
      signal: new AbortController().signal,
      ...(aliases !== undefined && { aliases }),
    });
  };
  return {
    async respond(request) {
      const { data, errors } = await execute(request, false);
      return { data: JSON.parse(data), errors };
    },
    async respondInMultipart(request) {
      const { data, errors, deferred } = await execute(request, true);
      const parts: (readonly EnginePatch[])[] = [];
      const hasNext = (): boolean => deferred?.hasNext === true;
      while (hasNext()) {
        const { patches } = (await deferred?.next()) ?? { patches: [] };
        parts.push(
          patches.map(
            ({ label, path, data: text, errors: reported }): EnginePatch => ({ label, path, data: JSON.parse(text), errors: reported }),
          ),
        );
      }
      return { data: JSON.parse(data), errors, parts };
    },
    async explain(question) {
      const reported: string[] = [];
      // A new preparation is needed, because plans are cached and reported only once.
      await createPreparation(input, (planned) => reported.push(JSON.stringify(planned, null, 1)))(question);
      return reported.join('\n');
    },
  };
}

function createPreparation({ supergraphSdl, schema, planning }: EngineInput, onPlan: (planned: object) => void) {
  const planner = createQueryPlanner(supergraphSdl, planning);
  const generation = createGeneration({
    loaded: { id: 'test', sdl: supergraphSdl, schema, costRules: { weights: new Map(), listSizes: new Map() } },
    planner: {
      async plan(input) {
        // Plain data, as received from the planner thread.
        const plan = structuredClone(planner.plan(structuredClone(input)));
        onPlan({ input, plan });
        return plan;
      },
      async [Symbol.asyncDispose]() {},
    },
    executor: Object.assign(neverRequested, { async [Symbol.asyncDispose]() {} }),
    compile: compileOperation,
    settings: SETTINGS,
    logger: silentLogger,
  });
  return async ({ text, operationName, variables: raw, labels }: Question, isDeferring = false) => {
    const prepared = generation.prepareOperation(text, operationName);
    const variables = prepared.coerceVariables(raw);
    const known = prepared.labels ?? [];
    const executable = await prepared.executable(
      variables,
      known.filter((label) => labels.includes(label)),
      isDeferring && prepared.isDeferred?.(variables) === true,
    );
    return { executable, variables, aliases: prepared.aliases };
  };
}

/** Each request brings its own executor. */
async function neverRequested(): Promise<never> {
  throw new Error('The executor of the generation must not be used here.');
}
