import type { CompileOperationInput } from '../../../../gateway/execution/compile-operation.ts';
import type { ExecutableOperation, ExecutionRun } from '../../../../gateway/execution/executable-operation.ts';
import { createGeneration, type PreparationSettings } from '../../../../gateway/generation/create-generation.ts';
import type { Generation } from '../../../../gateway/generation/generation.ts';
import { createPlanner } from '../../../../gateway/planning/create-planner.ts';
import type { Planner } from '../../../../gateway/planning/planner.ts';
import { type Logger, silentLogger } from '../../../../gateway/platform/logger.ts';
import { type LoadedSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import type { SubgraphExecutor } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { loadStorefront } from '../../../fixtures/storefront/storefront.ts';

const SETTINGS: PreparationSettings = {
  maxTokens: 4_000,
  limits: {
    mode: 'enforce',
    maxDepth: 12,
    maxIntrospectionDepth: 20,
    maxAliases: 30,
    maxRootFields: 20,
    maxSelections: 2_000,
    maxDirectives: 50,
    maxDirectivesPerLocation: 4,
    maxOperations: 10,
  },
  maxErrors: 10,
  maxVariableDepth: 20,
  isSchemaShown: true,
  maxCachedOperations: 100,
  maxCachedOperationBytes: 1_000_000,
};

/** What a test puts in place of the parts of a generation. */
export interface StandIns {
  readonly loaded?: LoadedSupergraph;
  readonly settings?: Partial<PreparationSettings>;
  readonly planner?: Planner;
  /** What running an operation gives. */
  readonly execute?: (run: ExecutionRun, input: CompileOperationInput) => ReturnType<ExecutableOperation['execute']>;
  readonly onCompile?: (input: CompileOperationInput) => void;
  readonly onDispose?: () => void;
  readonly logger?: Logger;
}

const STOREFRONT = loadStorefront();

/** A generation over the storefront, with stand-ins for what would leave the process. */
export function newGeneration({
  loaded = STOREFRONT,
  settings,
  planner,
  execute,
  onCompile,
  onDispose,
  logger,
}: StandIns = {}): Generation {
  const executor: SubgraphExecutor = async () => ({ data: {} });
  return createGeneration({
    loaded,
    planner: planner ?? createPlanner(loaded),
    executor: Object.assign(executor, { [Symbol.asyncDispose]: async () => onDispose?.() }),
    compile: (input) => {
      onCompile?.(input);
      return { execute: (run) => execute?.(run, input) ?? Promise.resolve({ data: '{}', errors: [] }) };
    },
    settings: { ...SETTINGS, ...settings },
    logger: logger ?? silentLogger,
  });
}
