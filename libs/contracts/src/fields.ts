import { type Static, Type } from 'typebox';

export const Id = Type.String({ format: 'uuid' });
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

export const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const PlanId = Type.Union([Type.Literal('monthly'), Type.Literal('yearly')]);
export type PlanId = Static<typeof PlanId>;
export const Frequency = Type.Union([Type.Literal('daily'), Type.Literal('weekly')]);
export type Frequency = Static<typeof Frequency>;
/** `pending`: asked by text to reply YES; gets no other texts. */
export const Consent = Type.Union([
  Type.Literal('granted'),
  Type.Literal('pending'),
  Type.Literal('revoked'),
]);
export type Consent = Static<typeof Consent>;
export const SubscriptionStatus = Type.Union([
  Type.Literal('pending'),
  Type.Literal('trial'),
  Type.Literal('active'),
  Type.Literal('past_due'),
  Type.Literal('expired'),
  Type.Literal('canceled'),
]);
export type SubscriptionStatus = Static<typeof SubscriptionStatus>;
export const AdminRole = Type.Union([
  Type.Literal('viewer'),
  Type.Literal('operator'),
  Type.Literal('owner'),
]);
export type AdminRole = Static<typeof AdminRole>;

export const IdParams = Type.Object({ id: Id });
export type IdParams = Static<typeof IdParams>;
export const Page = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
  offset: Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 }),
});
export type Page = Static<typeof Page>;

export const NoFields = Type.Object({}, { additionalProperties: false });
