export interface OptOutsTable {
  number_hash: string;
  opted_out: boolean;
  changed_at: Date;
  source: 'keyword' | 'phrase' | 'provider' | 'staff';
}
