import type { Generated } from 'kysely';

export interface InboundTextsTable {
  id: string;
  from_number: string;
  user_id: string | null;
  content: string;
  /** How the parser read it; `other` needs a person. */
  meaning: string;
  needs_review: boolean;
  /** Whether the sender had proven the number when the message arrived. */
  from_proven: Generated<boolean>;
  received_at: Date;
}
