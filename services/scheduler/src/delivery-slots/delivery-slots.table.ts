import type { Generated } from 'kysely';

export interface DeliverySlotsTable {
  delivery_hour: number;
  subscribers: number;
}

/** What the triggers on `subscribers` have seen change. */
export interface DeliverySlotChangesTable {
  position: Generated<number>;
  delivery_hour: number;
  change: number;
}
