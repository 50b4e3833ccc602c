import type { Generated } from 'kysely';

export interface InboundTextsTable {
  id: string;
  from_number: string;
  user_id: string | null;
  content: string;
  /** How the parser read it; `other` is for a person to read. */
  meaning: string;
  needs_review: boolean;
  /** Whether its sender had proven the number when it came. */
  from_proven: Generated<boolean>;
  received_at: Date;
}
