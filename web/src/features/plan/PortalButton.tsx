import { Button, type ButtonProps } from '@mantine/core';
import { announceFailure } from '../../components/announce.ts';
import { useOpenPortal } from './plan.queries.ts';

/** Opens the payment provider's portal for card and invoices. */
export const PortalButton = ({ children, ...props }: ButtonProps & { children: string }) => {
  const portal = useOpenPortal();
  const open = () =>
    portal.mutate(undefined, {
      onError: (error) => announceFailure('open billing page', error),
    });
  return (
    <Button
      variant="default"
      {...props}
      loading={portal.isPending || portal.isSuccess}
      onClick={open}
    >
      {children}
    </Button>
  );
};
