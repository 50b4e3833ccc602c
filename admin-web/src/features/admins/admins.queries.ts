import { apiQuery } from '../../api.ts';

export const adminsQuery = apiQuery(['admins'], 'GET /admin/admins');
