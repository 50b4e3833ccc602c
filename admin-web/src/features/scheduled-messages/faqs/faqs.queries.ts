import { useAction } from '@daylift/api-client/use-action';
import type { UpdateFaqRequest } from '@daylift/contracts/library.http';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { content } from '../../../api.ts';

export const editableFaqsQuery = queryOptions({
  queryKey: ['editable-faqs'],
  queryFn: ({ signal }) => content.listEditableFaqs(signal),
});

const useRefresh = () => {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['editable-faqs'] });
};

export const useCreateFaq = () =>
  useAction({ mutationFn: content.createFaq, onSuccess: useRefresh() });

export const useUpdateFaq = () =>
  useAction({
    mutationFn: ({ id, body }: { id: string; body: UpdateFaqRequest }) =>
      content.updateFaq(id, body),
    onSettled: useRefresh(),
  });

export const useOrderFaqs = () =>
  useAction({ mutationFn: content.orderFaqs, onSettled: useRefresh() });

export const useDeleteFaq = () =>
  useAction({ mutationFn: content.deleteFaq, onSuccess: useRefresh() });
