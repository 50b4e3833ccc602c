import type { Me } from '@daylift/contracts/accounts.http';
import type { PlanView } from '@daylift/contracts/billing.http';
import { Dialog } from '@daylift/ui/Dialog';
import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormActions } from '../../components/FormActions.tsx';

/** Props of every plan dialog. */
export interface PlanChangeProps {
  opened: boolean;
  plan: PlanView;
  user: Me;
  onClose: () => void;
  /** Called after the dialog has unmounted and returned focus. */
  onClosed: () => void;
}

/** Confirms a plan change. Stays open while the request runs. */
export const PlanDialog = ({
  opened,
  title,
  children,
  confirmLabel,
  keepLabel = 'Not Now',
  tone = 'dawn',
  busy,
  ready = true,
  onConfirm,
  onClose,
  onClosed,
}: Pick<PlanChangeProps, 'opened' | 'onClose' | 'onClosed'> & {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  keepLabel?: string;
  /** Quiet if the dialog offers something more likely to help. */
  tone?: 'dawn' | 'red' | 'quiet';
  busy: boolean;
  /** Whether the data to decide on has loaded. */
  ready?: boolean;
  onConfirm: () => void;
}) => (
  <Dialog
    title={title}
    opened={opened}
    busy={busy}
    onClose={onClose}
    onExitTransitionEnd={onClosed}
  >
    <Stack gap="lg">
      {children}
      <FormActions>
        <Button variant="default" onClick={onClose} disabled={busy} data-autofocus>
          {keepLabel}
        </Button>
        <Button
          {...(tone === 'quiet' ? { variant: 'default' } : { color: tone })}
          onClick={onConfirm}
          loading={busy}
          disabled={!ready && !busy}
        >
          {confirmLabel}
        </Button>
      </FormActions>
    </Stack>
  </Dialog>
);
