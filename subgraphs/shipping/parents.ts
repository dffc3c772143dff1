import type { Shipment } from './shipment.ts';

/** Resolver parent of `Order`: the representation of the gateway, with its key and the fields that the requested fields require. */
export interface OrderParent {
  readonly id: string;
  readonly userId?: string;
  readonly qty?: number;
  readonly total?: number;
}

export type ShipmentParent = Shipment;
