import type { CounterTables } from '@daylift/database/counters';
import type { ErasureTables } from '@daylift/events/erase';
import type { MailTables } from '@daylift/mail/mail';
import type { Kysely, Transaction } from 'kysely';
import type {
  AdminInvitationsTable,
  AdminRecoveryCodesTable,
  AdminsTable,
  AuditLogTable,
} from './admins/admins.table.ts';
import type { ConsentsTable } from './consents/consents.table.ts';
import type {
  AnswersTable,
  ConversationsTable,
  RepliesToFetchTable,
  SkippedReplyMailsTable,
  SupportMessagesTable,
} from './inbox/inbox.table.ts';
import type { KnownClientsTable, LoginTriesTable } from './login-tries/login-tries.table.ts';
import type {
  CodeRequestsTable,
  OneTimeCodesTable,
} from './one-time-codes/one-time-codes.table.ts';
import type { SavedRepliesTable } from './saved-replies/saved-replies.table.ts';
import type { EndedTokensTable } from './sessions/ended-tokens.table.ts';
import type { UserViewsTable } from './timeline/user-views.table.ts';
import type { UserChangesTable } from './users/user-changes.table.ts';
import type {
  AddressCallsTable,
  ContactLinksTable,
  LastTextsTable,
  LimitedCallsTable,
  PhoneChangesTable,
  UsersTable,
} from './users/users.table.ts';

export interface AccountsDatabase extends ErasureTables, MailTables, CounterTables {
  users: UsersTable;
  last_texts: LastTextsTable;
  users_to_republish: { user_id: string };
  consents: ConsentsTable;
  admins: AdminsTable;
  admin_invitations: AdminInvitationsTable;
  admin_recovery_codes: AdminRecoveryCodesTable;
  audit_log: AuditLogTable;
  'audit.audit_log': AuditLogTable;
  known_clients: KnownClientsTable;
  login_tries: LoginTriesTable;
  ended_tokens: EndedTokensTable;
  code_asks: CodeRequestsTable;
  one_time_codes: OneTimeCodesTable;
  phone_changes: PhoneChangesTable;
  limited_calls: LimitedCallsTable;
  letters: SupportMessagesTable;
  conversations: ConversationsTable;
  answers: AnswersTable;
  saved_replies: SavedRepliesTable;
  replies_to_fetch: RepliesToFetchTable;
  skipped_reply_mails: SkippedReplyMailsTable;
  user_changes: UserChangesTable;
  user_views: UserViewsTable;
  contact_links: ContactLinksTable;
  address_calls: AddressCallsTable;
}

export type Db = Kysely<AccountsDatabase>;
export type Trx = Transaction<AccountsDatabase>;

/** Returns whether Postgres reported a violation of this unique constraint, or of any. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code, constraint: violated } = error as Error & { code?: string; constraint?: string };
  return code === '23505' && (constraint === undefined || violated === constraint);
}
