export interface EndedTokensTable {
  token_id: string;
  expires_at: Date;
}
