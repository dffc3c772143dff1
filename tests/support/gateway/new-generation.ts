import type { ExecutableOperation, ExecutionRun } from '../../../gateway/execution/executable-operation.ts';
import { type CompileInput, createGeneration } from '../../../gateway/generation/create-generation.ts';
import type { Generation } from '../../../gateway/generation/generation.ts';
import type { PreparationSettings } from '../../../gateway/generation/prepare-documents.ts';
import type { OperationPlan } from '../../../gateway/planning/operation-plan.ts';
import type { PlanInput } from '../../../gateway/planning/query-planner.ts';
import { type Logger, silentLogger } from '../../../gateway/platform/logger.ts';
import type { LoadedSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { loadStorefront } from '../../fixtures/storefront/storefront.ts';
import { DEFAULT_LIMITS } from './default-limits.ts';

const SETTINGS: PreparationSettings = {
  maxTokens: 4_000,
  limits: { ...DEFAULT_LIMITS, mode: 'enforce' },
  maxErrors: 10,
  maxVariableDepth: 20,
  isSchemaShown: true,
  maxCachedOperations: 100,
  maxCachedOperationBytes: 10_000_000,
};

/** Replacements for the dependencies of a generation. */
export interface Overrides {
  readonly loaded?: Pick<LoadedSupergraph, 'id' | 'sdl' | 'schema'> & Partial<Pick<LoadedSupergraph, 'costRules'>>;
  readonly settings?: Partial<PreparationSettings>;
  /** Replaces planning. A test can count the calls. */
  readonly plan?: (input: PlanInput) => Promise<OperationPlan>;
  /** Replaces execution of an operation. */
  readonly execute?: (run: ExecutionRun, input: CompileInput) => ReturnType<ExecutableOperation['execute']>;
  readonly onCompile?: (input: CompileInput) => void;
  readonly onDispose?: (what: string) => void;
  readonly logger?: Logger;
}

export const EMPTY_PLAN: OperationPlan = { kind: 'query', fetches: [], keys: { withArguments: {}, beneathAbstract: {} } };

const STOREFRONT = loadStorefront();

/** Creates a generation over the storefront, with replacements for everything that would leave the thread or the process. */
export function newGeneration({ loaded = STOREFRONT, settings, plan, execute, onCompile, onDispose, logger }: Overrides = {}): Generation {
  const executor: SubgraphExecutor = async () => ({ data: {} });
  return createGeneration({
    loaded: { costRules: STOREFRONT.costRules, ...loaded },
    planner: { plan: plan ?? (async () => EMPTY_PLAN), [Symbol.asyncDispose]: async () => onDispose?.('planner') },
    executor: Object.assign(executor, { [Symbol.asyncDispose]: async () => onDispose?.('executor') }),
    compile: (input) => {
      onCompile?.(input);
      return { execute: (run) => execute?.(run, input) ?? Promise.resolve({ data: '{}', errors: [] }) };
    },
    settings: { ...SETTINGS, ...settings },
    logger: logger ?? silentLogger,
  });
}
