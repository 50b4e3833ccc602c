import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

interface Callbacks<Data, Input> {
  onSuccess?: (data: Data, input: Input) => void;
  onError?: (error: Error) => void;
}

/**
 * A mutation that never starts twice: the second press of a double click comes before the button shows that it is busy.
 * The callbacks run even when the outcome has already removed the component that asked.
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
