import { ApiError } from './request.ts';

/** Retries transient errors twice; client errors are never retried. */
export const retryTransient = (failures: number, error: unknown): boolean =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);
