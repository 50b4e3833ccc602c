import { ApiError } from './request.ts';

/** A refusal stays a refusal; only what may pass by itself is asked again, twice. */
export const retryWhatMayPass = (failures: number, error: unknown): boolean =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);
