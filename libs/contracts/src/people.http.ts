import { type Static, Type } from 'typebox';
import {
  Consent,
  DeliveryTime,
  Email,
  Id,
  PersonName,
  PhoneInput,
  PlanId,
  SubscriptionStatus,
  TimeZone,
} from './fields.ts';
import { mostListed } from './most-listed.ts';

const strict = { additionalProperties: false };

/** What became of a change on its way to the SMS provider; the call itself never waits for that. */
export const TelnyxSync = Type.Union([
  Type.Literal('synced'),
  Type.Literal('queued'),
  Type.Literal('not_required'),
  Type.Literal('failed_will_retry'),
]);
export type TelnyxSync = Static<typeof TelnyxSync>;

/** POST /admin/users/create, as the body (preferred) or as the query. */
export const CreateUserRequest = Type.Object(
  {
    name: PersonName,
    email: Email,
    phone: PhoneInput,
    /** America/New_York, 09:00 and monthly unless they are given. */
    timezone: Type.Optional(TimeZone),
    delivery_time: Type.Optional(DeliveryTime),
    plan: Type.Optional(PlanId),
    /** They agreed in writing; without it the number is asked by text to reply YES, and gets nothing else until then. */
    sms_consent: Type.Optional(Type.Boolean()),
    /** Of the form as it was filled in. Sent again, it makes no second account and gets the same answer. */
    request_key: Type.Optional(Id),
  },
  strict,
);
export type CreateUserRequest = Static<typeof CreateUserRequest>;
export const CreateUserResponse = Type.Object({
  id: Id,
  /** Good for 72 hours and for choosing another one; never shown again. */
  default_password: Type.String(),
  telnyx_sync: TelnyxSync,
});
export type CreateUserResponse = Static<typeof CreateUserResponse>;

/** POST /admin/users/:id/toggle-status; without `is_active` it turns into what it is not. */
export const ToggleStatusRequest = Type.Object(
  { is_active: Type.Optional(Type.Boolean()) },
  strict,
);
export type ToggleStatusRequest = Static<typeof ToggleStatusRequest>;
export const ToggleStatusResponse = Type.Object({
  id: Id,
  is_active: Type.Boolean(),
  telnyx_sync: TelnyxSync,
});
export type ToggleStatusResponse = Static<typeof ToggleStatusResponse>;

/** DELETE /admin/users/:id */
export const DeleteUserResponse = Type.Object({ telnyx_sync: TelnyxSync });
export type DeleteUserResponse = Static<typeof DeleteUserResponse>;

export const UserSort = Type.Union([
  Type.Literal('created'),
  Type.Literal('name'),
  Type.Literal('last_message'),
  Type.Literal('delivery_time'),
]);
export type UserSort = Static<typeof UserSort>;

/** What GET /admin/users looks for; everything given has to fit. */
export const UserListQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
    offset: Type.Integer({ minimum: 0, maximum: mostListed, default: 0 }),
    /** Beginnings of words of name and address; any four or more digits of a number, for who may see numbers. */
    search: Type.Optional(Type.String({ maxLength: 100 })),
    status: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('paused')])),
    subscription: Type.Optional(SubscriptionStatus),
    consent: Type.Optional(Consent),
    opted_out: Type.Optional(Type.Boolean()),
    delivery: Type.Optional(Type.Union([Type.Literal('on'), Type.Literal('off')])),
    sort: Type.Optional(UserSort),
    order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
  },
  strict,
);
export type UserListQuery = Static<typeof UserListQuery>;
