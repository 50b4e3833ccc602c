import { type Static, Type } from 'typebox';
import { Count, Currency, Instant, LocalDate, Nullable, OneOf } from './fields.ts';

/** First and last day in the operators' time zone. Defaults to the last 30 days. At most 366 days. */
export const BusinessQuery = Type.Object({
  from: Type.Optional(LocalDate),
  to: Type.Optional(LocalDate),
  /** US dollars by default. Amounts in different currencies are never added. */
  currency: Type.Optional(Currency),
});
export type BusinessQuery = Static<typeof BusinessQuery>;

/** `percent` has one decimal. */
export const FigureUnit = OneOf('cents', 'count', 'percent');
export type FigureUnit = Static<typeof FigureUnit>;

export const BusinessFigure = Type.Object({
  id: Type.String(),
  group: Type.String(),
  name: Type.String(),
  unit: FigureUnit,
  /** How it is computed, in words for operators. */
  definition: Type.String(),
  /** Null if it can't be computed, such as a share of zero. */
  value: Nullable(Type.Number()),
  /** The same figure for the range before. */
  previous: Nullable(Type.Number()),
});
export type BusinessFigure = Static<typeof BusinessFigure>;

export const CountryFigures = Type.Object({
  /** Two letters, or `unknown`. */
  country: Type.String(),
  paying: Count,
  revenue_cents: Type.Integer(),
  texts: Count,
  /** Null unless the currency is US dollars, because text costs are in US dollars. */
  text_cost_cents: Nullable(Count),
  /** Text cost per paying subscriber at the end of the range. Null, as is the margin, with several currencies. */
  cost_per_paying_cents: Nullable(Count),
  margin_percent: Nullable(Type.Number()),
});
export type CountryFigures = Static<typeof CountryFigures>;

export const Cohort = Type.Object({
  /** Month of the signup, `2027-03`. */
  month: Type.String(),
  signups: Count,
  /** Those who have ever paid. */
  paid: Count,
  /**
   * Paying at the end of the signup month, of the month after, and so on. Null before the first payment. The current
   * month counts until now.
   */
  paying: Type.Array(Nullable(Count)),
});
export type Cohort = Static<typeof Cohort>;

export const Business = Type.Object({
  from: LocalDate,
  to: LocalDate,
  previous: Type.Object({ from: LocalDate, to: LocalDate }),
  currency: Currency,
  /** Currencies that have figures. */
  currencies: Type.Optional(Type.Array(Currency)),
  as_of: Instant,
  figures: Type.Array(BusinessFigure),
  by_country: Type.Array(CountryFigures),
  cohorts: Type.Array(Cohort),
});
export type Business = Static<typeof Business>;
