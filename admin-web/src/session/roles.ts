import type { AdminRole } from '@daylift/contracts/fields';

export const roles: { value: AdminRole; label: string; may: string }[] = [
  { value: 'viewer', label: 'Viewer', may: 'view only; emails and phone numbers are masked' },
  {
    value: 'operator',
    label: 'Operator',
    may: 'manages messages, the queue, subscribers and settings',
  },
  {
    value: 'owner',
    label: 'Owner',
    may: 'everything, plus deleting subscribers, admins and the audit log',
  },
];

export const roleLabel = (role: AdminRole): string =>
  roles.find((one) => one.value === role)?.label ?? role;
