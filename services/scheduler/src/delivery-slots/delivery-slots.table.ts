import type { Generated } from 'kysely';

export interface DeliverySlotsTable {
  delivery_hour: number;
  subscribers: number;
}

/** Changes recorded by the triggers on `subscribers`. */
export interface DeliverySlotChangesTable {
  position: Generated<number>;
  delivery_hour: number;
  change: number;
}
