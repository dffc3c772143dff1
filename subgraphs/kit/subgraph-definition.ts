import type { Clock } from '../../gateway/platform/clock.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import type { Database } from './database/database.ts';
import type { EventBus } from './events/event-bus.ts';

/** A subgraph: its resolvers, and the resources that it has started. */
export interface SubgraphDefinition {
  /** Name in the supergraph; its SDL is `schema/subgraphs/<name>.graphql`. */
  readonly name: string;
  /** Resolvers, with the type of the generated `Resolvers` of the subgraph. */
  readonly resolvers: object;
  /** Closes the resources of the subgraph, after its server has stopped. */
  readonly close?: () => Promise<void>;
}

/** Dependencies for creating a subgraph. */
export interface SubgraphSetup {
  readonly database: Database;
  /** Event bus, for a subgraph that processes events of others. */
  readonly events: EventBus;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Creates a subgraph; may start resources, such as a back end. */
export type CreateSubgraph = (setup: SubgraphSetup) => SubgraphDefinition | Promise<SubgraphDefinition>;
