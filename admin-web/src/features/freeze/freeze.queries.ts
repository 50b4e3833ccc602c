import { apiQuery } from '../../api.ts';

export const liftPreviewQuery = {
  ...apiQuery(['freeze', 'lift-preview'], 'GET /admin/freeze/lift-preview'),
  staleTime: 0,
  gcTime: 0,
};
