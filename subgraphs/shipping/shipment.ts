/** A shipment in the graph. */
export interface Shipment {
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly status: ShipmentStatus;
  readonly weightGrams: number;
  readonly estimatedDelivery: Date | null;
  readonly events: readonly ShipmentEvent[];
}

export interface ShipmentEvent {
  readonly at: Date;
  readonly place: string;
  readonly description: string;
}

export type ShipmentStatus = 'LABEL_CREATED' | 'IN_TRANSIT' | 'DELIVERED' | 'RETURNED';
