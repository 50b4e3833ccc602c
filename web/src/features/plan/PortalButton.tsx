import { Button, type ButtonProps } from '@mantine/core';
import { announceFailure } from '../../components/announce.ts';
import { useOpenPortal } from './plan.queries.ts';

/** The card and the papers are kept by the payment provider: its own page is where they are looked after. */
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
