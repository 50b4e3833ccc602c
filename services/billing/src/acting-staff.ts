import type { AdminRole } from '@daylift/contracts/fields';
import { type ActingAdmin, actingAdmin } from '@daylift/server/acting-admin';
import { adminOf } from '@daylift/server/identity';

/** An admin whose role limits what they may give or see. */
export type ActingStaff = ActingAdmin & { role: AdminRole };

export const actingStaff = (request: Parameters<typeof actingAdmin>[0]): ActingStaff => ({
  ...actingAdmin(request),
  role: adminOf(request).role,
});
