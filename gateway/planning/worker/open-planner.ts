import type { IndexOptions, SupergraphIndexes } from '../indexing/create-indexes.ts';
import { decodePlanningIndex, type EncodedIndexes, encodeIndexes } from '../indexing/encode-indexes.ts';
import type { QueryPlannerOptions } from '../create-query-planner.ts';
import type { QueryPlanner } from '../query-planner.ts';
import type { OpenedSupergraph, ThreadData } from './thread-messages.ts';

/** Module that is imported when a supergraph is planned. */
interface PlannerModule {
  readonly createQueryPlanner: (sdl: string, options: QueryPlannerOptions) => QueryPlanner;
}

/** Module that is imported when a supergraph is indexed. */
interface IndexModule {
  readonly createIndexes: (sdl: string, options: IndexOptions) => SupergraphIndexes | undefined;
}

interface OpenedPlanner {
  readonly planner: QueryPlanner;
  /** Indexes that were created, if they were requested and the supergraph can have them. */
  readonly indexes: EncodedIndexes | undefined;
}

/** Creates the planner of a thread, and the indexes of its supergraph. @throws SupergraphInvalid when it is indexed and not valid */
export async function openPlanner(supergraph: OpenedSupergraph, { plannerModule, indexModule }: ThreadData): Promise<OpenedPlanner> {
  const { sdl, plannerOptions, indexing, index } = supergraph;
  const importing = import(plannerModule) as Promise<PlannerModule>;
  const created = indexing === undefined ? undefined : ((await import(indexModule)) as IndexModule).createIndexes(sdl, indexing);
  const planning = created?.planning ?? (index === undefined ? undefined : decodePlanningIndex(index));
  const { createQueryPlanner } = await importing;
  return {
    planner: createQueryPlanner(sdl, planning === undefined ? plannerOptions : { ...plannerOptions, index: planning }),
    indexes: created && encodeIndexes(created),
  };
}
