export interface AnnouncementPlansTable {
  scheduled_message_id: string;
  timezone: string;
  planned_at: Date;
}
