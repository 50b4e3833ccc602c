/** When the audit log was last told that an admin opened a subscriber's page. */
export interface UserViewsTable {
  user_id: string;
  admin_id: string;
  told_at: Date;
}
