import { createSchedulerApi } from '@daylift/api-client/scheduler';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api.ts';

const scheduler = createSchedulerApi(client);

export const nextTextQuery = queryOptions({
  queryKey: ['next-text'],
  queryFn: ({ signal }) => scheduler.getNextText(signal),
});
