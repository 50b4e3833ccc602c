export interface ContentAlertsTable {
  local_date: string;
  alerted_at: Date;
}
