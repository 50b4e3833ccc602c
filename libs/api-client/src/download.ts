import type { CallOptions, Send } from './request.ts';

/** A file as it came, and the name that the server gave it. */
export const download = async (
  send: Send,
  path: string,
  options: CallOptions = {},
): Promise<{ file: Blob; name: string | null }> => {
  const response = await send('GET', path, options);
  const disposition = response.headers.get('content-disposition') ?? '';
  const name = /filename="?([^";]+)"?/.exec(disposition)?.[1] ?? null;
  return { file: await response.blob(), name };
};
