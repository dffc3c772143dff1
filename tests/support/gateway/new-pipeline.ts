import { createGenerations, type Generations } from '../../../gateway/generation/generations.ts';
import type { OperationRequest } from '../../../gateway/pipeline/operation-request.ts';
import { createPipeline, type Pipeline, type PipelineOptions } from '../../../gateway/pipeline/run-operation.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../gateway/platform/principal.ts';
import { newGeneration, type StandIns } from './new-generation.ts';

export interface PipelineUnderTest {
  readonly pipeline: Pipeline;
  readonly generations: Generations;
}

/** A pipeline over the storefront, with stand-ins for what would leave the process. */
export async function newPipeline(
  standIns: StandIns = {},
  options: Partial<Omit<PipelineOptions, 'generations'>> = {},
): Promise<PipelineUnderTest> {
  const generations = createGenerations({ logger: silentLogger });
  await generations.load(() => newGeneration(standIns));
  const pipeline = createPipeline({ generations, isIntrospectionAllowed: true, operationTimeoutMs: 5_000, ...options });
  return { pipeline, generations };
}

/** A request for a document, as a door would make it. */
export function requestFor(text: string, more: Partial<OperationRequest> = {}): OperationRequest {
  return {
    document: { text },
    principal: ANONYMOUS,
    door: 'graphql',
    headers: {},
    correlationId: 'trace-1',
    signal: new AbortController().signal,
    ...more,
  };
}
