import { ErrorBody } from '@daylift/contracts/error';
import {
  Calendar,
  CalendarQuery,
  History,
  HistoryQuery,
  UserAnalytics,
} from '@daylift/contracts/sms.http';
import { localDateAt } from '@daylift/delivery/send-windows';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import type { SmsDeps } from '../deps.ts';
import { countByDay, findTimezone } from './history.repository.ts';
import { readCalendar } from './read-calendar.ts';
import { readHistory } from './read-history.ts';
import { analyse } from './streak.ts';

const errors = { 401: ErrorBody, 403: ErrorBody };

export async function registerHistory(app: Server, { db, clock }: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireUser);
  app.get(
    '/users/me/sms-history',
    {
      schema: { querystring: HistoryQuery, response: { 200: History, 400: ErrorBody, ...errors } },
    },
    (request) => readHistory(db, userOf(request).user_id, request.query, clock.now()),
  );
  app.get(
    '/users/me/calendar',
    {
      schema: {
        querystring: CalendarQuery,
        response: { 200: Calendar, 400: ErrorBody, ...errors },
      },
    },
    (request) => readCalendar(db, userOf(request).user_id, request.query.month, clock.now()),
  );
  app.get(
    '/users/me/analytics',
    { schema: { response: { 200: UserAnalytics, ...errors } } },
    async (request) => {
      const { user_id } = userOf(request);
      const [days, timezone] = await Promise.all([
        countByDay(db, user_id),
        findTimezone(db, user_id),
      ]);
      return analyse(days, localDateAt(clock.now(), timezone ?? 'UTC'));
    },
  );
}
