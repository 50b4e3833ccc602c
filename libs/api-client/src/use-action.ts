import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

interface Callbacks<Data, Input> {
  onSuccess?: (data: Data, input: Input) => void;
  onError?: (error: Error) => void;
}

/**
 * A mutation that ignores a second click while it runs. Its callbacks run even if the component has unmounted.
 */
export const useAction = <Data, Input = void>(options: UseMutationOptions<Data, Error, Input>) => {
  const mutation = useMutation(options);
  const { mutateAsync } = mutation;
  const running = useRef(false);
  const mutate = useCallback(
    (
      input: Input,
      { onSuccess = () => {}, onError = () => {} }: Callbacks<Data, Input> = {},
    ): void => {
      if (running.current) return;
      running.current = true;
      const end = () => {
        running.current = false;
      };
      mutateAsync(input)
        .finally(end)
        .then((data) => onSuccess(data, input), onError);
    },
    [mutateAsync],
  );
  return { ...mutation, mutate };
};
