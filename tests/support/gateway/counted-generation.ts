import type { ExecutableOperation } from '../../../gateway/execution/executable-operation.ts';
import type { CompileInput } from '../../../gateway/generation/create-generation.ts';
import type { Generation } from '../../../gateway/generation/generation.ts';
import type { PlanInput } from '../../../gateway/planning/query-planner.ts';
import { EMPTY_PLAN, newGeneration, type Overrides } from './new-generation.ts';

/** A generation, and the operations that it has planned and compiled. */
export interface CountedGeneration {
  readonly generation: Generation;
  readonly planned: PlanInput[];
  readonly compiled: CompileInput[];
}

/** Creates a generation that counts what it plans and compiles. */
export function countedGeneration(overrides: Overrides = {}): CountedGeneration {
  const planned: PlanInput[] = [];
  const compiled: CompileInput[] = [];
  const generation = newGeneration({
    ...overrides,
    plan: (input) => {
      planned.push(input);
      return overrides.plan?.(input) ?? Promise.resolve(EMPTY_PLAN);
    },
    onCompile: (input) => void compiled.push(input),
  });
  return { generation, planned, compiled };
}

/** Prepares an operation of a generation and returns it compiled. */
export async function executableOf(
  generation: Generation,
  text: string,
  raw: Record<string, unknown> = {},
  labels: readonly string[] = [],
): Promise<ExecutableOperation> {
  const operation = generation.prepareOperation(text);
  return operation.executable(operation.coerceVariables(raw), labels);
}
