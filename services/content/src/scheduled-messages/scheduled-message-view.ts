import type { ScheduledMessage } from '@daylift/contracts/content.http';
import type { Progress } from './progress.repository.ts';
import type { StoredMessage } from './scheduled-messages.repository.ts';

export const view = (row: StoredMessage, progress: Progress): ScheduledMessage => ({
  id: row.id,
  version: row.version,
  title: row.title,
  content: row.content,
  scheduled_date: row.scheduled_date,
  scheduled_time: row.scheduled_time,
  category: row.category,
  is_sent: row.sent_at !== null,
  sent_early: row.sent_early,
  sent_at: row.sent_at?.toISOString() ?? null,
  total_recipients: progress.total,
  successful_sends: progress.successful,
  failed_sends: progress.failed,
  skipped_sends: progress.total - progress.successful - progress.failed - progress.pending,
  pending_sends: progress.pending,
  created_at: row.created_at.toISOString(),
});
