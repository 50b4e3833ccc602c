import type { Customer } from './customers.repository.ts';

/** Bought when the account was gone already: given back. The provider counts in whole seconds. */
export function isAfterDeletion(
  startedAt: Date,
  { deleted_at }: Pick<Customer, 'deleted_at'>,
): boolean {
  return (
    deleted_at !== null && startedAt.getTime() >= Math.floor(deleted_at.getTime() / 1000) * 1000
  );
}
