import type { ComponentType } from 'react';
import type { PageAction } from '../../components/use-requested-action.ts';

export interface Result {
  key: string;
  Icon: ComponentType<{ size?: number }>;
  label: string;
  detail: string;
  path: string;
  /** What the page opens. */
  action?: PageAction;
}
