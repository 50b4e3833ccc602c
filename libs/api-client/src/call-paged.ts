import type { CallOptions, Send } from './request.ts';

/** A part of a long list, and how many there are in all. */
export const callPaged = async <T>(
  send: Send,
  path: string,
  options: CallOptions = {},
): Promise<{ rows: T; total: number }> => {
  const response = await send('GET', path, options);
  const total = Number(response.headers.get('x-total-count') ?? Number.NaN);
  return { total, rows: (await response.json()) as T };
};
