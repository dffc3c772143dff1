import { compileRuleTable, type RuleTable } from '../../authorization/compile-rules.ts';
import { createPlanningIndex, type PlanningIndex } from '../planning-index.ts';
import { readDefinitionRanges } from '../../supergraph/definition-ranges.ts';
import { loadSupergraphWithPositions } from '../../supergraph/load-supergraph.ts';
import { indexSupergraph, type SupergraphIndex } from '../../supergraph/supergraph-index.ts';

/** Everything that is derived from a supergraph before it is served, as data that can be sent between threads and stored. */
export interface SupergraphIndexes {
  /** Index that the thread of requests uses. */
  readonly serving: ServingIndex;
  /** Index that the planner's thread uses. */
  readonly planning: PlanningIndex;
}

export interface ServingIndex extends SupergraphIndex {
  /** Access rules, as they are enforced. Absent if the supergraph has none. */
  readonly rules?: RuleTable;
}

export interface IndexOptions {
  /** Path of the supergraph, for messages. */
  readonly file?: string | undefined;
  /** Whether the identity of callers is known, so that access rules are enforced. */
  readonly hasAuthentication: boolean;
}

/**
 * Validates a supergraph without connectors, and creates its indexes.
 *
 * @returns undefined when the supergraph is valid but has no indexes, because it extends types
 * @throws SupergraphInvalid
 */
export function createIndexes(sdl: string, { file, hasAuthentication }: IndexOptions): SupergraphIndexes | undefined {
  const positioned = loadSupergraphWithPositions(sdl, file);
  const { loaded, document, positions } = positioned;
  const rules = hasAuthentication ? compileRuleTable(loaded.graph, loaded.authorization, loaded.creatorGrants) : undefined;
  const ranges = readDefinitionRanges(document, positions);
  if (ranges === undefined) return undefined;
  const serving = indexSupergraph(sdl, positioned, ranges);
  return {
    serving: rules === undefined ? serving : { ...serving, rules },
    planning: createPlanningIndex(loaded.graph, document, serving.graph),
  };
}
