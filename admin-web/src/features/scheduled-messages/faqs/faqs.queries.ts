import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { CreateFaqRequest, UpdateFaqRequest } from '@daylift/contracts/library.http';
import { apiQuery, call } from '../../../api.ts';

export const editableFaqsQuery = apiQuery(['editable-faqs'], 'GET /admin/faqs');

const useRefreshed = () => useRefresh('editable-faqs');

export const useCreateFaq = () =>
  useAction({
    mutationFn: (body: CreateFaqRequest) => call('POST /admin/faqs', { body }),
    onSuccess: useRefreshed(),
  });

export const useUpdateFaq = () =>
  useAction({
    mutationFn: ({ id, body }: { id: string; body: UpdateFaqRequest }) =>
      call('PUT /admin/faqs/:id', { params: { id }, body }),
    onSettled: useRefreshed(),
  });

export const useOrderFaqs = () =>
  useAction({
    mutationFn: (ids: string[]) => call('PUT /admin/faqs/order', { body: { ids } }),
    onSettled: useRefreshed(),
  });

export const useDeleteFaq = () =>
  useAction({
    mutationFn: (id: string) => call('DELETE /admin/faqs/:id', { params: { id } }),
    onSuccess: useRefreshed(),
  });
