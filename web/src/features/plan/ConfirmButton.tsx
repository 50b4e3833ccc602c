import type { PlanView } from '@daylift/contracts/billing.http';
import { Button, type ButtonProps } from '@mantine/core';
import { confirmUrl } from './owed-words.ts';

/** Opens the provider's page to confirm a payment for the bank. In a new tab, because that page doesn't lead back. */
export const ConfirmButton = ({ plan, ...props }: ButtonProps & { plan: PlanView }) => {
  const url = confirmUrl(plan);
  return url === null ? null : (
    <Button variant="default" {...props} component="a" href={url} target="_blank" rel="noreferrer">
      Confirm Payment
    </Button>
  );
};
