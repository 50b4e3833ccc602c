export interface OptOutsTable {
  number_hash: string;
  opted_out: boolean;
  changed_at: Date;
  source: 'keyword' | 'phrase' | 'provider' | 'staff' | 'block_list';
  /** When the provider last reported the number as blocked; null once it no longer does. */
  blocked_at: Date | null;
}
