import type {
  AlertSettings,
  AlertSettingsRequest,
  DailyStats,
  HourlyStats,
  LogExportQuery,
  LoggedText,
  LogQuery,
  ProviderInfo,
  TestingModeRequest,
  TestingModeSettings,
} from '@daylift/contracts/sms-operations.http';
import { download } from './download.ts';
import type { Client } from './request.ts';

/** A report of a year is slow. */
const exportMs = 10 * 60_000;

export const createSmsOperationsApi = (client: Client) => {
  const { callPath: call } = client;
  return {
    getTestingMode: (signal?: AbortSignal) =>
      call<TestingModeSettings>('GET', '/admin/settings/testing-mode', { signal }),
    setTestingMode: (body: TestingModeRequest) =>
      call<TestingModeSettings>('POST', '/admin/settings/testing-mode', { body }),
    getAlertSettings: (signal?: AbortSignal) =>
      call<AlertSettings>('GET', '/admin/settings/alert-email', { signal }),
    setAlertSettings: (body: AlertSettingsRequest) =>
      call<AlertSettings>('POST', '/admin/settings/alert-email', { body }),
    listLogs: (query: Partial<LogQuery>, signal?: AbortSignal) =>
      call<LoggedText[]>('GET', '/admin/sms-logs', { query, signal }),
    exportLogs: (query: LogExportQuery) =>
      download(client, 'GET /admin/sms-logs/export', { query, timeoutMs: exportMs }),
    getDailyStats: (days: number, signal?: AbortSignal) =>
      call<DailyStats[]>('GET', '/admin/sms-stats/daily', { query: { days }, signal }),
    getHourlyStats: (hours: number, signal?: AbortSignal) =>
      call<HourlyStats[]>('GET', '/admin/sms-stats/hourly', { query: { hours }, signal }),
    getProvider: (signal?: AbortSignal) =>
      call<ProviderInfo>('GET', '/admin/sms-system/provider', { signal }),
  };
};
