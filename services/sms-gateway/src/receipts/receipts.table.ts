export interface ReceiptsTable {
  event_id: string;
  event_type: string;
  provider_id: string;
  text_id: string | null;
  status: string;
  error_code: string | null;
  parts: number | null;
  cost: string | null;
  currency: string | null;
  occurred_at: Date;
  received_at: Date;
}
