import type { Shipment } from './shipment.ts';

/** An `Order` as the gateway sends it: its key, and what the asked-for fields require. */
export interface OrderParent {
  readonly id: string;
  readonly userId?: string;
  readonly qty?: number;
  readonly total?: number;
}

export type ShipmentParent = Shipment;
