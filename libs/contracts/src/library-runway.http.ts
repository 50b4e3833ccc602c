import { type Static, Type } from 'typebox';
import { Count, Instant, Nullable } from './fields.ts';

export const CategoryRunway = Type.Object({
  category: Type.String(),
  active: Count,
  /**
   * Days until a subscriber has had every text of the category; 0 if one already has, 365 at most. Null if
   * there are no subscribers.
   */
  days: Nullable(Count),
});
export type CategoryRunway = Static<typeof CategoryRunway>;

/** Texts repeat for a subscriber who has had every category. */
export const LibraryRunway = Type.Object({
  computed_at: Nullable(Instant),
  categories: Type.Array(CategoryRunway),
});
export type LibraryRunway = Static<typeof LibraryRunway>;
