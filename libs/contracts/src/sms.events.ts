import { type Static, Type } from 'typebox';
import { AdminAction } from './admin-action.ts';
import {
  Count,
  Frequency,
  Id,
  Instant,
  LocalDate,
  Nullable,
  OneOf,
  UnreachableReason,
} from './fields.ts';

export const NoSendReason = OneOf(
  'inactive',
  'delivery_disabled',
  'paused',
  'no_consent',
  'opted_out',
  'not_entitled',
);
export type NoSendReason = Static<typeof NoSendReason>;

/**
 * Outcome of a dispatch. `accepted`: the provider has it. `skipped`: not eligible (`reason` is a NoSendReason), or
 * skipped by staff. `missed`: its windows passed. `superseded`: the schedule changed before sending, and the day can be
 * planned again. `refused`: rejected by the provider. `unknown`: may have been sent; not planned again, may become
 * `accepted`.
 */
export const TextOutcome = OneOf(
  'accepted',
  'skipped',
  'missed',
  'superseded',
  'refused',
  'unknown',
);
export type TextOutcome = Static<typeof TextOutcome>;

export const TextSettled = Type.Object({
  dispatch_id: Type.String(),
  user_id: Id,
  local_date: LocalDate,
  batch_id: Id,
  scheduled_message_id: Nullable(Id),
  outcome: TextOutcome,
  reason: Nullable(Type.String()),
  is_test: Type.Boolean(),
  settled_at: Instant,
});
export type TextSettled = Static<typeof TextSettled>;

const counts = { total: Count, successful: Count, failed: Count, pending: Count };
/** Counts of a whole batch; the newest `version` wins. `failed` excludes opt-outs and skips, which are in `total` only. */
export const BatchProgress = Type.Object({
  batch_id: Id,
  version: Type.Integer({ minimum: 1 }),
  ...counts,
  by_message: Type.Array(Type.Object({ scheduled_message_id: Id, ...counts })),
});
export type BatchProgress = Static<typeof BatchProgress>;

export const ReplyCommand = Type.Union([
  Type.Object({ command: Type.Literal('pause'), days: Type.Integer({ minimum: 1, maximum: 365 }) }),
  Type.Object({ command: Type.Literal('resume') }),
  Type.Object({
    command: Type.Literal('hour'),
    delivery_hour: Type.Integer({ minimum: 0, maximum: 23 }),
  }),
  Type.Object({ command: Type.Literal('frequency'), frequency: Frequency }),
]);
export type ReplyCommand = Static<typeof ReplyCommand>;

export const smsEvents = {
  'sms.texts.settled': Type.Object({ results: Type.Array(TextSettled, { minItems: 1 }) }),
  /** Published by the release before `sms.texts.settled`, which replaces it. */
  'sms.text.settled': TextSettled,
  'sms.batch.progressed': BatchProgress,
  'sms.recipient.opted_out': Type.Object({
    user_id: Id,
    at: Instant,
    /** `keyword`: STOP or a synonym. `phrase`: a sentence, also flagged for review. `provider`: it blocks the number, perhaps without a reply. `staff`: by an admin. */
    source: OneOf('keyword', 'phrase', 'provider', 'staff'),
    admin: Type.Optional(Type.Object({ admin_id: Id, username: Type.String() })),
  }),
  'sms.recipient.opted_in': Type.Object({ user_id: Id, at: Instant }),
  /** The new number has a different opt-out state. The subscriber didn't reply STOP or START, so billing ignores it. */
  'sms.recipient.number_changed': Type.Object({
    user_id: Id,
    opted_out: Type.Boolean(),
    at: Instant,
  }),
  /** Replied YES. `recipient_version` is the version of the number that was asked. */
  'sms.consent.confirmed': Type.Object({
    user_id: Id,
    recipient_version: Type.Integer({ minimum: 1 }),
    at: Instant,
  }),
  /** Texts don't reach the number, so it must confirm again. `recipient_version` is a version with that number. */
  'sms.recipient.unreachable': Type.Object({
    user_id: Id,
    recipient_version: Type.Integer({ minimum: 1 }),
    reason: UnreachableReason,
    at: Instant,
  }),
  'sms.code.not_texted': Type.Object({ request_id: Id, user_id: Id }),
  /**
   * A reply that an admin should read. Contains only an id: the text stays in sms-gateway and is erased with its
   * sender.
   */
  'sms.reply.received': Type.Object({
    inbound_id: Type.String(),
    user_id: Nullable(Id),
    needs_review: Type.Boolean(),
    at: Instant,
  }),
  /** Replies sent from a deleted subscriber's number before it was linked to them. */
  'sms.replies.erased': Type.Object({ inbound_ids: Type.Array(Type.String()) }),
  /** The cost of a day's texts so far, by country of the number. Replaces earlier counts. */
  'sms.costs.counted': Type.Object({
    date: LocalDate,
    counted_at: Instant,
    /** `cost` is a decimal string. */
    countries: Type.Array(
      Type.Object({ country: Type.String(), texts: Count, cost: Type.String() }),
    ),
  }),
  'sms.setting.requested': Type.Object({ user_id: Id, change: ReplyCommand, at: Instant }),
  'sms.admin.acted': AdminAction,
};
