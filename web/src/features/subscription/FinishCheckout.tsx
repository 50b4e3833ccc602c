import { describeError } from '@daylift/api-client/errors';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { billing } from '../../api.ts';
import { FormMessage } from '../../components/FormMessage.tsx';
import type { PlanChoice } from '../../paths.ts';

/** For someone who signed up and never came through the checkout. The signup's id is the user's. */
export const FinishCheckout = ({ userId, plan }: { userId: string; plan: PlanChoice }) => {
  const checkout = useMutation({
    mutationFn: () =>
      billing.createCheckout({
        subscription_id: userId,
        plan,
        origin_url: window.location.origin,
      }),
    onSuccess: ({ url }) => {
      if (/^https?:\/\//.test(url)) window.location.assign(url);
    },
  });
  return (
    <>
      {checkout.isError ? (
        <FormMessage>{describeError('sign up', checkout.error)}</FormMessage>
      ) : null}
      <Button
        color="dawn"
        loading={checkout.isPending || checkout.isSuccess}
        onClick={() => checkout.mutate()}
      >
        Finish Your Checkout
      </Button>
    </>
  );
};
