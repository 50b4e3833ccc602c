import { ErrorBody } from '@daylift/contracts/error';
import { SmsStats, TextPrice } from '@daylift/contracts/sms.http';
import type { Server } from '@daylift/server/create-server';
import { requireAdmin, requireService } from '@daylift/server/identity';
import type { SmsDeps } from '../deps.ts';
import { findPrice, findStatistics } from './statistics.repository.ts';

const errors = { 401: ErrorBody, 403: ErrorBody };

export async function registerStatisticsForAdmins(app: Server, { db }: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireAdmin('viewer'));
  app.get('/admin/sms-stats', { schema: { response: { 200: SmsStats, ...errors } } }, () =>
    findStatistics(db),
  );
}

export async function registerStatisticsForServices(app: Server, deps: SmsDeps): Promise<void> {
  app.addHook('onRequest', requireService);
  app.get('/internal/analytics/sms', { schema: { response: { 200: SmsStats, ...errors } } }, () =>
    findStatistics(deps.db),
  );
  app.get('/internal/price', { schema: { response: { 200: TextPrice, ...errors } } }, () =>
    findPrice(deps.db, deps.settings.SMS_PRICE_PER_PART),
  );
}
