import type { AdminRole } from '@daylift/contracts/fields';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { admins } from '../api.ts';

export const adminQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => admins.getMe(signal),
  staleTime: 60_000,
});

/** The role of the admin who is signed in, once it is known. */
export const useRole = (): AdminRole | undefined => useQuery(adminQuery).data?.role;

const rank: Record<AdminRole, number> = { viewer: 0, operator: 1, owner: 2 };

/** Whether the admin who is signed in may do what asks for this role; nobody may anything until that is known. */
export const useMay = (role: AdminRole): boolean => {
  const own = useRole();
  return own !== undefined && rank[own] >= rank[role];
};
