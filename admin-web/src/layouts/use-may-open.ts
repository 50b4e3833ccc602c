import type { Section } from '../pages.tsx';
import { useMay } from '../session/use-admin.ts';

/** Returns whether the signed-in admin may open a section. */
export const useMayOpen = () => {
  const may = { viewer: true, operator: useMay('operator'), owner: useMay('owner') };
  return ({ role = 'viewer' }: Section): boolean => may[role];
};
