import type { CallArguments, EndpointName } from './endpoints.ts';
import type { Client } from './request.ts';

export const download = async <K extends EndpointName>(
  { send }: Pick<Client, 'send'>,
  endpoint: K,
  ...[options]: CallArguments<K>
): Promise<{ file: Blob; name: string | null }> => {
  const response = await send(endpoint, options ?? {});
  const disposition = response.headers.get('content-disposition') ?? '';
  const name = /filename="?([^";]+)"?/.exec(disposition)?.[1] ?? null;
  return { file: await response.blob(), name };
};
