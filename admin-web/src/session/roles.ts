import type { AdminRole } from '@daylift/contracts/fields';

/** What each role may do, in words. */
export const roles: { value: AdminRole; label: string; may: string }[] = [
  { value: 'viewer', label: 'Viewer', may: 'reads; emails and phone numbers are masked' },
  { value: 'operator', label: 'Operator', may: 'sends, writes, pauses and changes settings' },
  {
    value: 'owner',
    label: 'Owner',
    may: 'also deletes subscribers, manages admins and reads the audit log',
  },
];

export const roleLabel = (role: AdminRole): string =>
  roles.find((one) => one.value === role)?.label ?? role;
