/** Proof of an opt-out on a subscriber's behalf. */
export interface StaffOptOutsTable {
  user_id: string;
  opted_out_at: Date;
  admin: string;
  note: string;
}
