import { smsGatewayApi } from '@daylift/contracts/sms-gateway.api';
import { localDateAt } from '@daylift/delivery/send-windows';
import type { Server } from '@daylift/server/create-server';
import { implement } from '@daylift/server/implement';
import type { SmsDeps } from '../deps.ts';
import { listErrors } from '../provider-errors/list-errors.ts';
import { findDailyOutcomes, findHourlyOutcomes } from './outcomes.repository.ts';
import { readProviderInfo } from './provider-info.ts';
import { findPrice, findStatistics } from './statistics.repository.ts';

export function statisticsRoutes(app: Server, deps: SmsDeps): void {
  const { db, clock, settings } = deps;
  implement(app, smsGatewayApi, {
    'GET /admin/sms-stats': () => findStatistics(db),
    'GET /admin/sms-stats/daily': (request) =>
      findDailyOutcomes(db, request.query.days, localDateAt(clock.now(), deps.operatorTimezone)),
    'GET /admin/sms-stats/hourly': (request) =>
      findHourlyOutcomes(db, request.query.hours, clock.now()),
    'GET /admin/sms-system/provider': () => readProviderInfo(deps),
    'GET /admin/sms-system/errors': () => listErrors(db, clock.now()),
    'GET /internal/analytics/sms': () => findStatistics(db),
    'GET /internal/price': async () => ({
      ...(await findPrice(db, settings.SMS_PRICE_PER_PART)),
      rate_per_second: settings.SMS_RATE_PER_SECOND,
    }),
  });
}
