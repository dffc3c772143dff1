import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../gateway/execution/compile-operation.ts';
import type { ExecutionResult } from '../../gateway/execution/executable-operation.ts';
import { createGeneration } from '../../gateway/generation/create-generation.ts';
import { type QueryPlannerOptions, createQueryPlanner } from '../../gateway/planning/create-query-planner.ts';
import { silentLogger } from '../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../gateway/platform/principal.ts';
import type { SubgraphExecutor } from '../../gateway/supergraph/subgraph-executor.ts';

/** What a client sees. */
export interface EngineResponse {
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly code: string; readonly path?: readonly (string | number)[] }[];
}

/** The first part, and what came later, part by part. */
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
  /** Absent where the text has one operation. */
  readonly operationName?: string | undefined;
  /** Labels of `@override` that are on. */
  readonly labels: readonly string[];
  readonly executor: SubgraphExecutor;
}

/** What an engine is made from. */
export interface EngineInput {
  readonly supergraphSdl: string;
  /** The public schema of the supergraph; resolvers in it mean nothing here. */
  readonly schema: GraphQLSchema;
  readonly planning?: QueryPlannerOptions;
}

type Question = Omit<EngineRequest, 'executor'>;

/** An engine that has read a supergraph. */
export interface Engine {
  /** @throws Error when it gives no answer at all */
  respond(request: EngineRequest): Promise<EngineResponse>;
  /** The answer in parts, as it comes where something is deferred. @throws Error when it gives no answer at all */
  respondInMultipart(request: EngineRequest): Promise<EngineDependencies>;
  /** What it is going to do, for people. */
  explain(request: Question): Promise<string>;
}

/** What random operations may be: all of it. */
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
 * The engine under test: this file is all that the tests know of it. It is what a generation makes of a client's text, without
 * the doors before it and the thread of the planner: parsed, validated, brought into its canonical form, planned, compiled, run.
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
      // Afresh, since plans are kept and not told twice.
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
        // Plain data, as what comes from the planner's thread.
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

/** Each request brings an executor of its own. */
async function neverRequested(): Promise<never> {
  throw new Error('The executor of the generation is not used here.');
}
