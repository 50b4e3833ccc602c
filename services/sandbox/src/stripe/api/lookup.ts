import type { Table } from '../state/table.ts';
import { missingObject, missingReference } from './stripe-error.ts';

/** The object that the path names. */
export function demand<T extends { id: string }, H>(table: Table<T, H>, id: string): T {
  const object = table.find(id);
  if (!object) throw missingObject(table.label, id);
  return object;
}

/** The object that a parameter names. */
export function refer<T extends { id: string }, H>(
  table: Table<T, H>,
  id: string,
  param: string,
): T {
  const object = table.find(id);
  if (!object) throw missingReference(table.label, id, param);
  return object;
}
