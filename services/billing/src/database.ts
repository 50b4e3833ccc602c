import type { StaffActionKind } from '@daylift/contracts/billing.http';
import type { AdminRole, Frequency, PlanId, SubscriptionStatus } from '@daylift/contracts/fields';
import type { Currency, GiftLength } from '@daylift/contracts/plans';
import type { CounterTables } from '@daylift/database/counters';
import type { EventTables } from '@daylift/events/event-tables';
import type { MailTables } from '@daylift/mail/mail';
import type { Generated, Kysely, Transaction } from 'kysely';
import type { Stage } from './dunning/stages.ts';

export interface BillingDatabase extends EventTables, MailTables, CounterTables {
  customers: CustomersTable;
  checkouts: CheckoutsTable;
  promotions: PromotionsTable;
  gifts: GiftsTable;
  subscriptions: SubscriptionsTable;
  subscription_changes: SubscriptionChangesTable;
  trial_uses: TrialUsesTable;
  proven_contacts: ProvenContactsTable;
  stripe_events: StripeEventsTable;
  provider_tasks: ProviderTasksTable;
  invoices: InvoicesTable;
  refunds: RefundsTable;
  disputes: DisputesTable;
  reconcile_state: ReconcileStateTable;
  comparison: ComparisonTable;
  plan_changes: PlanChangesTable;
  price_moves: PriceMovesTable;
  price_move_currencies: PriceMoveCurrenciesTable;
  price_changes: PriceChangesTable;
  cards: CardsTable;
  referrals: ReferralsTable;
  staff_actions: StaffActionsTable;
  lost_days: LostDaysTable;
  lost_day_settings: LostDaySettingsTable;
  dunning: DunningTable;
  mrr_changes: MrrChangesTable;
  text_costs: TextCostsTable;
  month_reports: MonthReportsTable;
}

export type Db = Kysely<BillingDatabase>;
export type Trx = Transaction<BillingDatabase>;

/** Copy of the users' data that billing needs. */
export interface CustomersTable {
  user_id: string;
  email: string;
  name: string;
  timezone: string;
  plan: PlanId;
  email_hash: string;
  phone_hash: string;
  referrer_user_id: string | null;
  registered_at: Date;
  stripe_customer_id: string | null;
  deleted_at: Date | null;
  balance_cents: Generated<number>;
  balance_ticket: Generated<number>;
  lost_days_booked_cents: Generated<number>;
  lost_days_bookings: Generated<number>;
  referrals_version: Generated<number>;
  referrals_successful: Generated<number>;
  converted_at: Generated<Date | null>;
  trial_ended_at: Generated<Date | null>;
  /** Country of the number; null if unknown. */
  country: Generated<string | null>;
  /** Version of the newest `accounts.contact.changed`. */
  contact_version: Generated<number>;
  email_proven: Generated<boolean>;
  /** Version of the newest `accounts.settings.changed`. */
  settings_version: Generated<number>;
  /** Set at the first checkout or referral credit. Null before that, and for customers from before this column. */
  currency: Generated<Currency | null>;
  /** Earlier account names, newest first, kept by a trigger. */
  past_names: Generated<string[]>;
}

export interface CheckoutsTable {
  id: string;
  user_id: string;
  plan: PlanId;
  origin: string;
  trial_days: number;
  status: 'creating' | 'open' | 'closing' | 'complete' | 'expired';
  attempt: Generated<number>;
  claimed_until: Date | null;
  session_id: string | null;
  url: string | null;
  expires_at: Date | null;
  payment_status: 'paid' | 'unpaid' | null;
  created_at: Date;
  promotion_id: string | null;
  /** End of the free access after which its plan is first charged. */
  free_until: Date | null;
  /** What it bought. */
  stripe_subscription_id: string | null;
}

export interface GiftsTable {
  id: string;
  months: GiftLength;
  /** Empty once erased. The email stays while the payment page is open. */
  buyer_name: string;
  buyer_email: string;
  message: string | null;
  origin: string;
  /** Its link has the code; only the hash is stored. */
  code_hash: string;
  created_at: Date;
  session_id: string | null;
  url: string | null;
  /** End of the payment page. */
  expires_at: Date;
  paid_at: Date | null;
  paid_cents: number | null;
  tax_cents: number | null;
  currency: string | null;
  payment_intent_id: string | null;
  invoice_id: string | null;
  /** The buyer at the provider. */
  stripe_customer_id: string | null;
  voided_at: Date | null;
  redeemed_by: string | null;
  redeemed_at: Date | null;
  /** The free time that it gave. */
  starts_at: Date | null;
  ends_at: Date | null;
  /** Free time taken back after its payment was returned. */
  taken_back_ms: number | null;
  /** Whether the provider must still move a charge to `ends_at` for that. */
  moves_charge: Generated<boolean>;
  /**
   * Whether the plan's charge comes later because of its free time. Until then that's free access. Null if an earlier
   * version redeemed it.
   */
  postpones_charge: Generated<boolean | null>;
  reminded_at: Date | null;
}

export interface PromotionsTable {
  id: string;
  code: string;
  kind: 'percent' | 'amount' | 'free_days';
  /** In percent, cents of the currency, or days. */
  value: number;
  /** An amount applies only to subscribers who pay in it. */
  currency: Currency;
  /** 1 is the first payment only; null is every payment, or free days. */
  months: number | null;
  plan: PlanId | null;
  max_uses: number | null;
  first_time_only: boolean;
  expires_at: Date | null;
  created_at: Date;
  created_by: string;
  deactivated_at: Date | null;
  /** The promotion code at the provider. */
  provider_id: string | null;
}

export interface SubscriptionsTable {
  user_id: string;
  /** Null for a trial that staff opened, which the provider doesn't know. */
  stripe_subscription_id: string | null;
  read_ticket: number;
  version: number;
  status: SubscriptionStatus;
  is_live: boolean;
  plan: PlanId;
  started_at: Date;
  trial_end: Date | null;
  current_period_start: Date | null;
  current_period_end: Date | null;
  cancel_at_period_end: boolean;
  /** When it ends by a cancellation already made. */
  cancel_at: Date | null;
  /** When the oldest unpaid payment failed. */
  past_due_since: Date | null;
  entitled: boolean;
  /** Null if it has no end, or there is no entitlement. */
  entitled_until: Date | null;
  entitled_since: Date | null;
  trial_card: string | null;
  reminded_trial_end: Date | null;
  stopped_at: Date | null;
  last_reply_at: Date | null;
  /** When a START restored what STOP had ended. */
  restored_at: Date | null;
  checked_at: Date;
  created_at: Date;
  /** The price of the current period. */
  price_cents: number | null;
  card_brand: string | null;
  card_last4: string | null;
  next_charge_at: Date | null;
  next_charge_cents: number | null;
  /** Included in it; null if the subscription isn't taxed. */
  next_charge_tax_cents: number | null;
  owed_cents: number | null;
  card_declined: Generated<boolean>;
  /** Where to confirm the open payment if the bank requires it. */
  confirm_url: string | null;
  /** Whether it ended because a payment failed. */
  ended_unpaid: Generated<boolean>;
  /** End of free access given by staff. Stored only here. */
  comp_until: Date | null;
  /** End of free days given by staff. The provider charges nothing before it. */
  free_until: Date | null;
  /** Why its payments give no access: the bank took one back, or it was refunded. Null if they do. */
  hold: 'disputed' | 'lost' | 'refunded' | null;
  promotion_id: string | null;
  /** What the promotion takes off the next charge. */
  discount_cents: Generated<number>;
  /** What it also takes off later charges, and so off the monthly recurring revenue; 0 for a discount of one payment. */
  recurring_discount_cents: Generated<number>;
}

/** One immutable row per version. */
export interface SubscriptionChangesTable {
  user_id: string;
  version: number;
  changed_at: Date;
  /** `provider`: a renewal, a declined charge and so on. `system`: our own clock. */
  actor: 'subscriber' | 'reply' | 'provider' | 'system';
  status: SubscriptionStatus;
  plan: PlanId;
  /** Null in rows written before it was stored, and without a plan at the provider. */
  price_cents: number | null;
  trial_end: Date | null;
  current_period_start: Date | null;
  current_period_end: Date | null;
  cancel_at_period_end: boolean;
  entitled: boolean;
  entitled_until: Date | null;
  entitled_since: Date | null;
  /** The admin, if staff made the change. */
  staff: string | null;
}

export interface TrialUsesTable {
  kind: 'account' | 'email' | 'phone' | 'card';
  mark: string;
  user_id: string;
  used_at: Date;
}

/** Kept after a change of the address or number and after the account is deleted. */
export interface ProvenContactsTable {
  kind: 'email' | 'phone';
  mark: string;
  user_id: string;
  proven_at: Date;
}

export interface StripeEventsTable {
  id: string;
  type: string;
  object_id: string | null;
  source: 'webhook' | 'reconcile';
  created_at: Date;
  received_at: Date;
}

export interface ProviderTasksTable {
  kind: string;
  subject: string;
  asks: Generated<number>;
  attempt: Generated<number>;
  tries: Generated<number>;
  next_try_at: Date;
  claimed_until: Date | null;
  error: string | null;
  done_at: Date | null;
  parked_at: Date | null;
}

export interface InvoicesTable {
  id: string;
  user_id: string | null;
  read_ticket: number;
  status: string;
  currency: string;
  amount_due_cents: number;
  amount_paid_cents: number;
  attempt_count: number;
  created_at: Date;
  paid_at: Date | null;
  /** Before credit; negative if the invoice gives credit. */
  total_cents: number | null;
  /** Credit from the customer's balance that it used up. */
  credit_cents: number | null;
  payment_intent_id: string | null;
  first_failed_at: Generated<Date | null>;
  stripe_subscription_id: string | null;
  /** Marked as paid outside the provider, so it isn't in the provider's ledger. */
  paid_elsewhere_cents: Generated<number>;
  /** Taken off by promotion codes; already subtracted from the total. */
  discount_cents: Generated<number>;
  /** Included in the total. */
  tax_cents: Generated<number>;
  /** The business details on it; null if it names only the account. */
  billed_to: Generated<string | null>;
}

export interface RefundsTable {
  id: string;
  read_ticket: number;
  payment_intent_id: string | null;
  status: string;
  currency: string;
  amount_cents: number;
  created_at: Date;
}

export interface DisputesTable {
  id: string;
  read_ticket: number;
  payment_intent_id: string | null;
  /** `inquiry`: the bank asks for information before it withdraws any money. */
  state: 'inquiry' | 'open' | 'won' | 'lost' | 'closed';
  reason: string;
  currency: string;
  amount_cents: number;
  withdrawn_cents: number;
  created_at: Date;
  respond_by: Date | null;
}

export interface ReconcileStateTable {
  singleton: Generated<boolean>;
  seen_until: Date;
  next_run_at: Date;
}

export interface ComparisonTable {
  singleton: Generated<boolean>;
  next_run_at: Date;
  claimed_until: Date | null;
  started_at: Date;
  kind: string;
  cursor: string | null;
  cursor_at: Date | null;
  finished_at: Date | null;
}

/** `move_price`: an announced price is being set. The others are the subscriber's own changes. */
export type PlanChangeAction =
  | 'upgrade'
  | 'switch'
  | 'cancel'
  | 'undo_cancel'
  | 'pay'
  | 'move_price';

export interface PlanChangesTable {
  user_id: string;
  action: PlanChangeAction;
  plan: PlanId;
  attempt: Generated<number>;
  claimed_until: Date | null;
  is_open: boolean;
  started_at: Date;
}

/** An owner's decision to move the subscribers of a plan from an earlier price to the current one. */
export interface PriceMovesTable {
  id: string;
  plan: PlanId;
  from_cents: number;
  to_cents: number;
  provider_price: string;
  reason: string;
  created_at: Date;
  created_by: string;
  next_user_id: string | null;
  stopped_at: Date | null;
}

/** A move without a row is in the default currency. */
export interface PriceMoveCurrenciesTable {
  move_id: string;
  currency: Currency;
}

/** One row per subscriber and move. At most one of a subscriber is planned or announced. */
export interface PriceChangesTable {
  move_id: string;
  user_id: string;
  stripe_subscription_id: string;
  /** `dropped`: another price, plan or move came first, or the subscription ended. */
  state: 'planned' | 'announced' | 'applied' | 'dropped';
  announced_at: Date | null;
  promised_at: Date | null;
  effective_at: Date | null;
  declined_at: Date | null;
  due_at: Date | null;
}

export interface CardsTable {
  user_id: string;
  fingerprint: string;
  seen_at: Date;
}

/** One row per date, decided once; an unpaid day is decided again when its period is paid. */
export interface LostDaysTable {
  user_id: string;
  local_date: string;
  outcome: string;
  reason: string | null;
  decision: 'credited' | 'trial' | 'unpaid' | 'over_limit' | 'off';
  credit_cents: number;
  period_end: Date | null;
  settled_at: Date;
  due_at: Date | null;
  frequency: Frequency | null;
}

export interface LostDaySettingsTable {
  singleton: Generated<boolean>;
  enabled: boolean;
  max_days_per_month: number;
}

/** One row per failed payment, until it's paid or the subscription ends. */
export interface DunningTable {
  user_id: string;
  since: Date;
  stage: Stage;
  confirm_asked: boolean;
  next_at: Date | null;
}

/** One row per admin request. */
export interface StaffActionsTable {
  id: string;
  user_id: string;
  kind: StaffActionKind;
  state: Generated<'pending' | 'done' | 'failed'>;
  amount_cents: number | null;
  invoice_id: string | null;
  payment_intent_id: string | null;
  days: number | null;
  until: Date | null;
  reason: string;
  admin_id: string;
  username: string;
  role: AdminRole | null;
  ip: string;
  request_id: string;
  created_at: Date;
  ended_at: Date | null;
  error: string | null;
  provider_id: string | null;
}

export interface ReferralsTable {
  friend_user_id: string;
  referrer_user_id: string;
  invoice_id: string;
  payment_intent_id: string | null;
  amount_cents: number;
  paid_at: Date;
  card: string | null;
  outcome: 'earned' | 'refused' | 'taken_back' | null;
  credit_cents: number;
  booked_cents: Generated<number>;
  bookings: Generated<number>;
}

export type MrrChangeKind = 'new' | 'expansion' | 'contraction' | 'churned' | 'reactivated';

export interface MrrChangesTable {
  position: Generated<number>;
  user_id: string;
  at: Date;
  kind: MrrChangeKind;
  before_cents: number;
  after_cents: number;
}

export interface TextCostsTable {
  date: string;
  country: string;
  texts: number;
  /** A decimal string. */
  cost: string;
  counted_at: Date;
}

export interface MonthReportsTable {
  month: string;
  published_at: Date;
}
