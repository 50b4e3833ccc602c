import type { Generated } from 'kysely';

/** The figure of the last event. */
export interface PublishedDueTextsTable {
  singleton: Generated<boolean>;
  until: Date;
  texts: number;
}
