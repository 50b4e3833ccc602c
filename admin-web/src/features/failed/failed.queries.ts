import { apiQuery } from '../../api.ts';

/** Refetched when the live count changes. */
export const failedQuery = apiQuery(['failed'], 'GET /admin/parked');
