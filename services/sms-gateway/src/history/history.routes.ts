import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import type { Server } from '@daylift/server/create-server';
import { userOf } from '@daylift/server/identity';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { countByDay, findRhythm } from './history.repository.ts';
import { readCalendar } from './read-calendar.ts';
import { readHistory } from './read-history.ts';
import { analyse } from './streak.ts';

export function historyRoutes(app: Server, { db, clock }: SmsDeps): void {
  implement(app, smsGatewayApi, {
    'GET /users/me/sms-history': (request) =>
      readHistory(db, userOf(request).user_id, request.query, clock.now()),
    'GET /users/me/calendar': (request) =>
      readCalendar(db, userOf(request).user_id, request.query.month, clock.now()),
    'GET /users/me/analytics': async (request) => {
      const { user_id } = userOf(request);
      const [days, rhythm] = await Promise.all([
        countByDay(db, user_id),
        findRhythm(db, user_id, clock.now()),
      ]);
      return analyse(days, rhythm);
    },
  });
}
