/** When the audit log last recorded that an admin opened a subscriber's page. */
export interface UserViewsTable {
  user_id: string;
  admin_id: string;
  told_at: Date;
}
