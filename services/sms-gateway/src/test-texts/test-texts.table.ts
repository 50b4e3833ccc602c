/** Test texts that admins sent to their own phones, for the limit per hour. */
export interface TestTextsTable {
  id: string;
  admin_id: string;
  created_at: Date;
}
