import { type Static, Type } from 'typebox';
import { type Currency as Code, currencies, type PlanId as Plan, planIds } from './plans.ts';

export const Id = Type.String({ format: 'uuid' });
/** Up to 100, separated by commas. */
export const IdList = Type.String({
  pattern:
    '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(,[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}){0,99}$',
});
export const Email = Type.String({ format: 'email', maxLength: 254 });
export const PersonName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
/** As typed by the user; stored as E.164. */
export const PhoneInput = Type.String({ minLength: 3, maxLength: 32 });
export const Password = Type.String({ minLength: 6, maxLength: 128 });
/** IANA name. Only the code that stores it checks that the zone exists. */
export const TimeZone = Type.String({ minLength: 1, maxLength: 64 });
/** Whole hour in the subscriber's time zone, `HH:00`. */
export const DeliveryTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):00$' });
export const Instant = Type.String({ format: 'date-time' });
export const LocalDate = Type.String({ format: 'date', pattern: '^(?!0000)' });
/** ISO weekday, Monday is 1. */
export const Weekday = Type.Integer({ minimum: 1, maximum: 7 });
export const Count = Type.Integer({ minimum: 0 });

export const OneOf = <const V extends readonly string[]>(...values: V) =>
  Type.Union(values.map((value) => Type.Literal(value))) as unknown as Type.TUnion<{
    -readonly [K in keyof V]: Type.TLiteral<V[K] & string>;
  }>;
export const StrictObject = <T extends Type.TProperties>(
  properties: T,
  options: Type.TObjectOptions = {},
) => Type.Object(properties, { additionalProperties: false, ...options });
export const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export type PlanId = Plan;
export const PlanId = Type.Unsafe<PlanId>(OneOf(...planIds));
export const Currency = Type.Unsafe<Code>(OneOf(...currencies));
export const Frequency = OneOf('daily', 'weekly');
export type Frequency = Static<typeof Frequency>;
/** `pending`: asked by text to reply YES; gets no other texts. */
export const Consent = OneOf('granted', 'pending', 'revoked');
export type Consent = Static<typeof Consent>;
/**
 * Why texts wait until the number is confirmed again. `undelivered`: three failures in a row. `disconnected`: the same,
 * because it isn't a working mobile number. `inactive`: nothing was texted for so long that it may have a new owner.
 */
export const UnreachableReason = OneOf('landline', 'undelivered', 'disconnected', 'inactive');
export type UnreachableReason = Static<typeof UnreachableReason>;
const statuses = ['pending', 'trial', 'active', 'past_due', 'expired', 'canceled'] as const;
export const SubscriptionStatus = OneOf(...statuses);
export type SubscriptionStatus = Static<typeof SubscriptionStatus>;
/** Status for admins. `free_access`: gets texts without a plan, by a gift or staff. */
export const ShownStatus = OneOf(...statuses, 'free_access');
export type ShownStatus = Static<typeof ShownStatus>;
export const AdminRole = OneOf('viewer', 'operator', 'owner');
export type AdminRole = Static<typeof AdminRole>;

export const IdParams = Type.Object({ id: Id });
export type IdParams = Static<typeof IdParams>;
export const Page = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
  offset: Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 }),
});
export type Page = Static<typeof Page>;

export const NoFields = StrictObject({});
