export interface SavedRepliesTable {
  id: string;
  title: string;
  content: string;
  changed_at: Date;
  changed_by: string;
}
