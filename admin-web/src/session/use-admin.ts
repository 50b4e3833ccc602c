import type { AdminRole } from '@daylift/contracts/fields';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api.ts';

export const adminQuery = { ...apiQuery(['me'], 'GET /admin/me'), staleTime: 60_000 };

/** Returns the signed-in admin's role, or undefined while loading. */
export const useRole = (): AdminRole | undefined => useQuery(adminQuery).data?.role;

const rank: Record<AdminRole, number> = { viewer: 0, operator: 1, owner: 2 };

/** Returns whether the signed-in admin has at least this role; false while loading. */
export const useMay = (role: AdminRole): boolean => {
  const own = useRole();
  return own !== undefined && rank[own] >= rank[role];
};
