import type { Clock } from '../../gateway/platform/clock.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import type { Database } from './database/database.ts';
import type { EventBus } from './events/event-bus.ts';

/** A subgraph: what it answers, and what it runs beside its server. */
export interface SubgraphDefinition {
  /** As the supergraph spells it; its SDL is `schema/subgraphs/<name>.graphql`. */
  readonly name: string;
  /** Typed by the subgraph's generated `Resolvers`. */
  readonly resolvers: object;
  /** Ends what the subgraph started for itself, after its server has stopped. */
  readonly close?: () => Promise<void>;
}

/** What a subgraph may need to set itself up. */
export interface SubgraphSetup {
  readonly database: Database;
  /** For a subgraph that acts on what others tell. */
  readonly events: EventBus;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Makes a subgraph; may start what it needs, a back end for example. */
export type CreateSubgraph = (setup: SubgraphSetup) => SubgraphDefinition | Promise<SubgraphDefinition>;
