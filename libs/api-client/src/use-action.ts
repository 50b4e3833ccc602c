import { type MutateOptions, type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';

/** A mutation that is never begun twice: the second press of a double click comes before the button shows that it works. */
export const useAction = <Data, Input = void>(options: UseMutationOptions<Data, Error, Input>) => {
  const mutation = useMutation(options);
  const { mutateAsync } = mutation;
  const running = useRef(false);
  const mutate = useCallback(
    (input: Input, callbacks?: MutateOptions<Data, Error, Input>): void => {
      if (running.current) return;
      running.current = true;
      const end = () => {
        running.current = false;
      };
      mutateAsync(input, callbacks).then(end, end);
    },
    [mutateAsync],
  );
  return { ...mutation, mutate };
};
