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

/** What a test puts in place of the parts of a generation. */
export interface StandIns {
  readonly loaded?: Pick<LoadedSupergraph, 'id' | 'sdl' | 'schema'>;
  readonly settings?: Partial<PreparationSettings>;
  /** What planning gives; counts by being called. */
  readonly plan?: (input: PlanInput) => Promise<OperationPlan>;
  /** What running an operation gives. */
  readonly execute?: (run: ExecutionRun, input: CompileInput) => ReturnType<ExecutableOperation['execute']>;
  readonly onCompile?: (input: CompileInput) => void;
  readonly onDispose?: (what: string) => void;
  readonly logger?: Logger;
}

export const EMPTY_PLAN: OperationPlan = { kind: 'query', fetches: [], keys: { withArguments: {}, beneathAbstract: {} } };

const STOREFRONT = loadStorefront();

/** A generation over the storefront, with stand-ins for what would leave the thread or the process. */
export function newGeneration({ loaded = STOREFRONT, settings, plan, execute, onCompile, onDispose, logger }: StandIns = {}): Generation {
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
