import { useAction } from '@daylift/api-client/use-action';
import type { CreateFaqRequest, UpdateFaqRequest } from '@daylift/contracts/library.http';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';

export const editableFaqsQuery = queryOptions({
  queryKey: ['editable-faqs'],
  queryFn: ({ signal }) => call('GET /admin/faqs', { signal }),
});

const useRefresh = () => {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['editable-faqs'] });
};

export const useCreateFaq = () =>
  useAction({
    mutationFn: (body: CreateFaqRequest) => call('POST /admin/faqs', { body }),
    onSuccess: useRefresh(),
  });

export const useUpdateFaq = () =>
  useAction({
    mutationFn: ({ id, body }: { id: string; body: UpdateFaqRequest }) =>
      call('PUT /admin/faqs/:id', { params: { id }, body }),
    onSettled: useRefresh(),
  });

export const useOrderFaqs = () =>
  useAction({
    mutationFn: (ids: string[]) => call('PUT /admin/faqs/order', { body: { ids } }),
    onSettled: useRefresh(),
  });

export const useDeleteFaq = () =>
  useAction({
    mutationFn: (id: string) => call('DELETE /admin/faqs/:id', { params: { id } }),
    onSuccess: useRefresh(),
  });
