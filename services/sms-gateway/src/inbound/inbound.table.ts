export interface InboundTextsTable {
  id: string;
  from_number: string;
  user_id: string | null;
  content: string;
  /** How the parser read it; `other` is for a person to read. */
  meaning: string;
  needs_review: boolean;
  received_at: Date;
}
