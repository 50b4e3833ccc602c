import { maxListed } from '@daylift/contracts/limits';
import type { UserListQuery, UserSort } from '@daylift/contracts/managed-users.http';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { type ListedUser, listedFields } from '../users/user-views.ts';
import { searchOf, type UserFilter, type UserSearch } from './user-search.ts';

type Page = Pick<UserListQuery, 'limit' | 'offset'>;
/** Null: all users. */
type Search = UserSearch | null;

/** As in the index of them. */
const hasFreeAccess = sql`entitled and subscription_status in ('expired', 'canceled')`;

/** The index finds candidates; for viewers only words of the name count. */
const matches = ({ all, name, unreachable, free }: UserSearch) =>
  sql.join(
    [
      sql`search @@ ${all}::tsquery`,
      ...(name === null
        ? []
        : [sql`array_to_tsvector(search_words(name, null, null)) @@ ${name}::tsquery`]),
      ...(unreachable ? [sql`unreachable is not null`] : []),
      ...(free === true ? [hasFreeAccess] : []),
      ...(free === false ? [sql`not entitled`] : []),
    ],
    sql` and `,
  );

/** How far the list is walked along an index for a page before the matches are sorted instead. */
const furthestWalk = ({ offset }: Page) => 10_000 + 10 * offset;

interface OrderKey {
  key: string;
  /** How to walk an index of another table. */
  walk?: { key: string; from: string };
  /** Where users without a value sort: first in ascending order, or last in both directions. */
  nulls?: 'low' | 'last';
  first: 'asc' | 'desc';
  /** Masked for viewers, so they can't sort by it either. */
  isContact?: boolean;
}

const lastMessageOf = (user: string) =>
  `(select sent_at from last_texts where user_id = ${user}.id)`;

/** Each order has one index scanned in either direction, or one index per direction. */
const orders: Record<UserSort, OrderKey> = {
  created: { key: 'registered_at', first: 'desc' },
  name: { key: 'lower(name)', first: 'asc' },
  email: { key: 'email', first: 'asc', isContact: true },
  phone: { key: 'phone', first: 'asc', isContact: true },
  last_message: {
    key: lastMessageOf('users'),
    walk: {
      key: 'last_texts.sent_at',
      from: 'last_texts join users on users.id = last_texts.user_id',
    },
    nulls: 'low',
    first: 'desc',
  },
  delivery_time: { key: 'delivery_hour', first: 'asc' },
  status: { key: 'shown_status_rank(subscription_status, entitled)', first: 'asc' },
  renews: { key: 'period_end', first: 'asc', nulls: 'last' },
};

/** Orders a query that has the key as a column of this name. */
function orderOf({
  sort = 'created',
  order,
  byContact,
}: Pick<UserListQuery & UserFilter, 'sort' | 'order' | 'byContact'>) {
  const chosen = orders[orders[sort].isContact && !byContact ? 'created' : sort];
  const { key, walk = { key, from: 'users' }, nulls, first } = chosen;
  const way = order ?? first;
  const isLast = nulls === 'last' || way === 'desc';
  const place = nulls === undefined ? '' : isLast ? ' nulls last' : ' nulls first';
  return {
    key: sql.raw(`${key} as sort_key`),
    walk: { key: sql.raw(`${walk.key} as sort_key`), from: sql.raw(walk.from) },
    by: sql.raw(`sort_key ${way}${place}, id ${way}`),
  };
}
type Order = ReturnType<typeof orderOf>;

const columns = sql.raw(listedFields.join(', '));
const lastMessageColumn = (user: string) => sql.raw(`${lastMessageOf(user)} as last_message_sent`);

/**
 * Returns one page and the total, counted up to `maxListed` + 1. Few matches are found through the word index and
 * sorted. With many, the page is found by walking the sort index.
 */
export async function listUsers(
  db: Db,
  query: UserListQuery & UserFilter,
): Promise<{ users: ListedUser[]; total: number }> {
  const { limit, offset, sort, order, ...filter } = query;
  const search = searchOf(filter);
  if (search === undefined) return { users: [], total: 0 };
  const total = await countUpTo(db, search);
  const page = { limit, offset };
  const by = orderOf({ sort, order, byContact: filter.byContact });
  if (search === null || total > maxListed) {
    const users = await walk(db, search, { order: by, subscription: filter.subscription }, page);
    if (search === null || users.length === limit) return { users, total };
  }
  return { users: await sortFound(db, search, by, page), total };
}

async function countUpTo(db: Db, search: Search): Promise<number> {
  const fits = search === null ? sql`true` : matches(search);
  const { rows } = await sql<{ total: number }>`select count(*) as total from
    (select 1 from users where ${fits} limit ${maxListed + 1}) as found`.execute(db);
  return rows[0]?.total ?? 0;
}

async function walk(
  db: Db,
  search: Search,
  { order, subscription }: { order: Order; subscription: UserFilter['subscription'] },
  page: Page,
): Promise<ListedUser[]> {
  // One order has an index per subscription status.
  const among =
    subscription === 'free_access'
      ? hasFreeAccess
      : subscription
        ? sql`subscription_status = ${subscription}`
        : sql`true`;
  // In a form that the index of words doesn't serve.
  const fits = search === null ? sql`true` : sql`coalesce(${matches(search)}, false)`;
  const { rows } = await sql<ListedUser>`select ${columns}, ${lastMessageColumn('users')} from
    (select users.*, ${order.walk.key} from ${order.walk.from} where ${among}
      order by ${order.by} limit ${furthestWalk(page)}) as users
    where ${fits} order by ${order.by} limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows;
}

async function sortFound(
  db: Db,
  search: UserSearch,
  order: Order,
  { limit, offset }: Page,
): Promise<ListedUser[]> {
  const { rows } = await sql<ListedUser>`with found as materialized
    (select ${columns}, ${order.key} from users where ${matches(search)})
    select *, ${lastMessageColumn('found')} from found order by ${order.by} limit ${limit} offset ${offset}`.execute(
    db,
  );
  return rows;
}
