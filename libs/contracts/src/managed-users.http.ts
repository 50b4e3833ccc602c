import { type Static, Type } from 'typebox';
import { UpdateMeRequest } from './accounts.http.ts';
import {
  Consent,
  Count,
  DeliveryTime,
  Email,
  Id,
  OneOf,
  PersonName,
  PhoneInput,
  PlanId,
  ShownStatus,
  StrictObject,
  TimeZone,
} from './fields.ts';
import { maxListed } from './limits.ts';

export const TelnyxSync = OneOf('synced', 'queued', 'not_required', 'failed_will_retry');
export type TelnyxSync = Static<typeof TelnyxSync>;

export const CreateUserRequest = StrictObject({
  name: PersonName,
  email: Email,
  phone: PhoneInput,
  timezone: Type.Optional(TimeZone),
  delivery_time: Type.Optional(DeliveryTime),
  plan: Type.Optional(PlanId),
  /**
   * Consent was given in writing. Without it, a text asks for a YES reply, and no other texts are sent until then.
   */
  sms_consent: Type.Optional(Type.Boolean()),
  /** Idempotency key of the filled-in form: a repeat returns the same account. */
  request_key: Type.Optional(Id),
});
export type CreateUserRequest = Static<typeof CreateUserRequest>;
export const CreateUserResponse = Type.Object({
  id: Id,
  /** Valid for 72 hours, only to choose a new password; shown once. */
  default_password: Type.String(),
  telnyx_sync: TelnyxSync,
});
export type CreateUserResponse = Static<typeof CreateUserResponse>;

export const UpdateUserRequest = StrictObject(
  Type.Pick(UpdateMeRequest, [
    'name',
    'email',
    'phone',
    'timezone',
    'delivery_time',
    'delivery_frequency',
    'delivery_weekday',
  ]).properties,
  { minProperties: 1 },
);
export type UpdateUserRequest = Static<typeof UpdateUserRequest>;

/** `note` is the proof: who asked, how and when. */
export const OptOutRequest = StrictObject({
  note: Type.String({ minLength: 3, maxLength: 500, pattern: '\\S' }),
});
export type OptOutRequest = Static<typeof OptOutRequest>;

export const ManyStatusesRequest = StrictObject({
  ids: Type.Array(Id, { minItems: 1, maxItems: 100 }),
  is_active: Type.Boolean(),
});
export type ManyStatusesRequest = Static<typeof ManyStatusesRequest>;
/** `missing` counts subscribers deleted in the meantime. */
export const ManyStatuses = Type.Object({ changed: Count, unchanged: Count, missing: Count });
export type ManyStatuses = Static<typeof ManyStatuses>;

export const ToggleStatusRequest = StrictObject({ is_active: Type.Optional(Type.Boolean()) });
export const ToggleStatusResponse = Type.Object({
  id: Id,
  is_active: Type.Boolean(),
  telnyx_sync: TelnyxSync,
});
export type ToggleStatusResponse = Static<typeof ToggleStatusResponse>;

export const DeleteUserResponse = Type.Object({ telnyx_sync: TelnyxSync });
export type DeleteUserResponse = Static<typeof DeleteUserResponse>;

/** Roles that see masked emails and numbers can't sort by them; they get the newest first. */
export const UserSort = OneOf(
  'created',
  'name',
  'email',
  'phone',
  'last_message',
  'delivery_time',
  'status',
  'renews',
);
export type UserSort = Static<typeof UserSort>;

export const UserListQuery = StrictObject({
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
  offset: Type.Integer({ minimum: 0, maximum: maxListed, default: 0 }),
  /** Word prefixes of name and email, or four or more digits of a number for roles that see numbers. */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(OneOf('active', 'paused')),
  subscription: Type.Optional(ShownStatus),
  consent: Type.Optional(Consent),
  opted_out: Type.Optional(Type.Boolean()),
  delivery: Type.Optional(OneOf('on', 'off', 'unreachable')),
  sort: Type.Optional(UserSort),
  order: Type.Optional(OneOf('asc', 'desc')),
});
export type UserListQuery = Static<typeof UserListQuery>;
