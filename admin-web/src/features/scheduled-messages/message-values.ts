import type { MessageCategory } from '@daylift/contracts/content.http';

export interface MessageValues {
  title: string;
  content: string;
  date: string;
  time: string;
  category: MessageCategory;
}
export const emptyMessage: MessageValues = {
  title: '',
  content: '',
  date: '',
  time: '08:00',
  category: 'daily_motivation',
};
