import { type Static, Type } from 'typebox';
import { AdminAction } from './admin-action.ts';
import { Count, Frequency, Id, Instant, LocalDate, Nullable } from './fields.ts';

/** Why a person gets no text now; the words for people are in the pages. */
export const NoSendReason = Type.Union([
  Type.Literal('inactive'),
  Type.Literal('delivery_disabled'),
  Type.Literal('paused'),
  Type.Literal('no_consent'),
  Type.Literal('opted_out'),
  Type.Literal('not_entitled'),
]);
export type NoSendReason = Static<typeof NoSendReason>;

/**
 * How a dispatch ended for the scheduler. `accepted`: the provider has it. `skipped`: the person may not receive
 * (reason is a NoSendReason). `missed`: its windows passed. `superseded`: another hour, zone or frequency was chosen
 * before anything left, so the day may be planned anew. `refused`: the provider will not take it. `unknown`: it may
 * or may not have left; never sent again, may later become `accepted`.
 */
export const TextOutcome = Type.Union([
  Type.Literal('accepted'),
  Type.Literal('skipped'),
  Type.Literal('missed'),
  Type.Literal('superseded'),
  Type.Literal('refused'),
  Type.Literal('unknown'),
]);
export type TextOutcome = Static<typeof TextOutcome>;

export const TextSettled = Type.Object({
  dispatch_id: Type.String(),
  user_id: Id,
  local_date: LocalDate,
  batch_id: Id,
  scheduled_message_id: Nullable(Id),
  outcome: TextOutcome,
  reason: Nullable(Type.String()),
  /** Went to the test number: does not use up the day. */
  is_test: Type.Boolean(),
  settled_at: Instant,
});
export type TextSettled = Static<typeof TextSettled>;

/** Counts of a batch as a whole, newest `version` wins. `failed` counts no opt-outs and no skips. */
export const BatchProgress = Type.Object({
  batch_id: Id,
  version: Type.Integer({ minimum: 1 }),
  total: Count,
  successful: Count,
  failed: Count,
  pending: Count,
  by_message: Type.Array(
    Type.Object({
      scheduled_message_id: Id,
      total: Count,
      successful: Count,
      failed: Count,
      pending: Count,
    }),
  ),
});
export type BatchProgress = Static<typeof BatchProgress>;

/** A setting that a subscriber changed by replying. */
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
  'sms.text.settled': TextSettled,
  'sms.batch.progressed': BatchProgress,
  'sms.recipient.opted_out': Type.Object({
    user_id: Id,
    at: Instant,
    /** `keyword`: STOP and its like. `phrase`: a sentence, also put up for review. `provider`: it refused a text. */
    source: Type.Union([Type.Literal('keyword'), Type.Literal('phrase'), Type.Literal('provider')]),
  }),
  'sms.recipient.opted_in': Type.Object({ user_id: Id, at: Instant }),
  /**
   * Somebody's number became another one, for which the opt-out list says otherwise than for the one before. Nobody said
   * STOP or START now, so it moves no money.
   */
  'sms.recipient.number_changed': Type.Object({
    user_id: Id,
    opted_out: Type.Boolean(),
    at: Instant,
  }),
  /** Replied YES to the request. `recipient_version` is that of the number which was asked. */
  'sms.consent.confirmed': Type.Object({
    user_id: Id,
    recipient_version: Type.Integer({ minimum: 1 }),
    at: Instant,
  }),
  /** A code that was asked for did not go by text, because testing mode is on: it is to go by e-mail. */
  'sms.code.not_texted': Type.Object({ request_id: Id, user_id: Id }),
  /**
   * Somebody replied what a person should read. Only the pointer: the words stay where they are and are fetched, so that
   * they go when their sender goes.
   */
  'sms.reply.received': Type.Object({
    inbound_id: Type.String(),
    user_id: Nullable(Id),
    needs_review: Type.Boolean(),
    at: Instant,
  }),
  /** Of somebody who left: what they wrote from their number before anybody knew that it was theirs. */
  'sms.replies.erased': Type.Object({ inbound_ids: Type.Array(Type.String()) }),
  'sms.setting.requested': Type.Object({ user_id: Id, change: ReplyCommand, at: Instant }),
  'sms.admin.acted': AdminAction,
};
