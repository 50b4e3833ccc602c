import { ErrorBody } from '@daylift/contracts/error';
import { SmsStats, TextPrice } from '@daylift/contracts/sms.http';
import {
  DailyStatsList,
  DailyStatsQuery,
  HourlyStatsList,
  HourlyStatsQuery,
  ProviderInfo,
} from '@daylift/contracts/sms-operations.http';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin, requireService } from '@daylift/server/identity';
import type { SmsDeps } from '../deps.ts';
import { readProviderInfo } from '../provider/provider-info.ts';
import { findDailyOutcomes, findHourlyOutcomes } from './outcomes.repository.ts';
import { findPrice, findStatistics } from './statistics.repository.ts';

const errors = { 401: ErrorBody, 403: ErrorBody };

export async function registerStatisticsForAdmins(app: Server, deps: SmsDeps): Promise<void> {
  const { db, clock } = deps;
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get('/admin/sms-stats', { schema: { response: { 200: SmsStats, ...errors } } }, () =>
    findStatistics(db),
  );
  const mayBeWrong = { 400: ErrorBody, ...errors };
  app.get(
    '/admin/sms-stats/daily',
    { schema: { querystring: DailyStatsQuery, response: { 200: DailyStatsList, ...mayBeWrong } } },
    (request) => findDailyOutcomes(db, request.query.days, clock.now()),
  );
  app.get(
    '/admin/sms-stats/hourly',
    {
      schema: { querystring: HourlyStatsQuery, response: { 200: HourlyStatsList, ...mayBeWrong } },
    },
    (request) => findHourlyOutcomes(db, request.query.hours, clock.now()),
  );
  app.get(
    '/admin/sms-system/provider',
    { schema: { response: { 200: ProviderInfo, ...errors } } },
    () => readProviderInfo(deps),
  );
}

export async function registerStatisticsForServices(app: Server, deps: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireService);
  app.get('/internal/analytics/sms', { schema: { response: { 200: SmsStats, ...errors } } }, () =>
    findStatistics(deps.db),
  );
  app.get('/internal/price', { schema: { response: { 200: TextPrice, ...errors } } }, async () => ({
    ...(await findPrice(deps.db, deps.settings.SMS_PRICE_PER_PART)),
    rate_per_second: deps.settings.SMS_RATE_PER_SECOND,
  }));
}
