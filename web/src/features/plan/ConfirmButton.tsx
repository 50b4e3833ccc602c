import type { PlanView } from '@daylift/contracts/billing.http';
import { Button, type ButtonProps } from '@mantine/core';
import { confirmUrl } from './owed-words.ts';

/** Opens the provider's page for confirming the payment in a new tab, because that page has no link back. */
export const ConfirmButton = ({ plan, ...props }: ButtonProps & { plan: PlanView }) => {
  const url = confirmUrl(plan);
  return url === null ? null : (
    <Button variant="default" {...props} component="a" href={url} target="_blank" rel="noreferrer">
      Confirm Payment
    </Button>
  );
};
