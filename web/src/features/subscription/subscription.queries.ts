import { apiQuery } from '../../api.ts';

export const subscriptionQuery = apiQuery(['subscription'], 'GET /users/me/subscription');
