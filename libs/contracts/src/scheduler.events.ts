import { type Static, Type } from 'typebox';
import { AdminAction } from './admin-action.ts';
import { Frequency, Id, Instant, LocalDate, Nullable, Weekday } from './fields.ts';

export const BatchKind = Type.Union([
  Type.Literal('scheduled'),
  Type.Literal('manual_run'),
  Type.Literal('staff_send'),
]);
export type BatchKind = Static<typeof BatchKind>;

/** `daily` uses up the subscriber's local date; an announcement comes on top of it. */
export const DispatchKind = Type.Union([Type.Literal('daily'), Type.Literal('announcement')]);
export type DispatchKind = Static<typeof DispatchKind>;

/** Half-open span of instants in which a text may be handed to the provider. */
export const SendWindow = Type.Object({ opens_at: Instant, closes_at: Instant });
export type SendWindow = Static<typeof SendWindow>;

/** One text that is due, handed from the scheduler to sms-gateway. */
export const ReleasedDispatch = Type.Object({
  /** `YYYYMMDD-<32 hex>`: the date names the partition, the rest is derived from user, date and kind. */
  dispatch_id: Type.String({ pattern: '^[0-9]{8}-[0-9a-f]{32}$' }),
  user_id: Id,
  local_date: LocalDate,
  kind: DispatchKind,
  /** Not yet personal: may hold {{first_name}}. */
  content: Type.String(),
  scheduled_message_id: Nullable(Id),
  due_at: Instant,
  /** One or two, in order; after the last it is missed. */
  windows: Type.Array(SendWindow, { minItems: 1, maxItems: 2 }),
  /** What the plan was made from; null for a staff send or announcement, which no later choice of hour moves. */
  slot: Nullable(
    Type.Object({
      timezone: Type.String(),
      delivery_hour: Type.Integer({ minimum: 0, maximum: 23 }),
      frequency: Frequency,
      weekday: Nullable(Weekday),
    }),
  ),
});
export type ReleasedDispatch = Static<typeof ReleasedDispatch>;

export const schedulerEvents = {
  'scheduler.dispatches.released': Type.Object({
    batch: Type.Object({ id: Id, kind: BatchKind, name: Type.String(), created_at: Instant }),
    dispatches: Type.Array(ReleasedDispatch, { minItems: 1, maxItems: 50 }),
  }),
  /** Nobody is left who may still receive it, or a staff send took place. */
  'scheduler.message.completed': Type.Object({
    scheduled_message_id: Id,
    completed_at: Instant,
    /** Which version of it; one that was changed meanwhile is not completed. */
    version: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  /** For this date, which begins within the next two days, there is neither a message nor a library to take one from. */
  'scheduler.content.missing': Type.Object({ date: LocalDate }),
  'scheduler.admin.acted': AdminAction,
};
