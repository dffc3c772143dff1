import { type SQL, and, eq, inArray, sql as raw } from 'drizzle-orm';
import { rowsById } from '../../kit/loaders.ts';
import { defineChildConnection } from '../../kit/pagination/connection.ts';
import { isStorable } from '../../kit/storable-text.ts';
import { type DeliveryState, deliveries } from '../tables.ts';

/** Filter of a list of deliveries. */
export interface DeliveryFilter {
  readonly state?: readonly DeliveryState[] | null | undefined;
  readonly event?: string | null | undefined;
}

/** Loads deliveries by id within one request. */
export const deliveriesById = rowsById(deliveries, deliveries.id);

/** Deliveries of each of many endpoints, newest first, loaded with one statement. */
export const deliveriesOfEndpoint = defineChildConnection<typeof deliveries, DeliveryFilter>({
  table: deliveries,
  id: deliveries.id,
  parent: deliveries.endpointId,
  sortable: { ID: deliveries.id, CREATED_AT: deliveries.createdAt },
  defaultSort: [{ field: 'ID', direction: 'DESC' }],
  where: (filter) => and(isAt(filter?.state), isOf(filter?.event)),
});

function isAt(states: readonly DeliveryState[] | null | undefined): SQL | undefined {
  return states === null || states === undefined ? undefined : inArray(deliveries.state, [...new Set(states)]);
}

function isOf(event: string | null | undefined): SQL | undefined {
  if (event === null || event === undefined) return undefined;
  return isStorable(event) ? eq(deliveries.event, event) : raw`false`;
}
