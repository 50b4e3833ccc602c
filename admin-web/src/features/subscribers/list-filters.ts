import type { UserListQuery } from '@daylift/contracts/managed-users.http';
import type { UrlParams } from '../../components/use-url-params.ts';

/** List filters, kept in the URL, so the back button restores them. */
export interface ListFilters {
  search: string;
  /** Selected filter values; empty means all. */
  status: string;
  subscription: string;
  texts: string;
  sort: string;
  offset: number;
}

interface Choice {
  value: string;
  label: string;
  query: Partial<UserListQuery>;
}

const all = (label: string): Choice => ({ value: '', label, query: {} });

export const statusChoices: Choice[] = [
  all('Any status'),
  { value: 'active', label: 'Active', query: { status: 'active' } },
  { value: 'paused', label: 'Paused', query: { status: 'paused' } },
];

export const subscriptionChoices: Choice[] = [
  all('Any subscription'),
  { value: 'trial', label: 'Free trial', query: { subscription: 'trial' } },
  { value: 'active', label: 'Paying', query: { subscription: 'active' } },
  { value: 'free_access', label: 'Free access', query: { subscription: 'free_access' } },
  { value: 'past_due', label: 'Past due', query: { subscription: 'past_due' } },
  {
    value: 'pending',
    label: 'Pending (checkout not finished)',
    query: { subscription: 'pending' },
  },
  { value: 'expired', label: 'Expired', query: { subscription: 'expired' } },
  { value: 'canceled', label: 'Canceled', query: { subscription: 'canceled' } },
];

export const textsChoices: Choice[] = [
  all('Any delivery'),
  { value: 'asked', label: 'Awaiting YES', query: { consent: 'pending' } },
  { value: 'stopped', label: 'Opted out', query: { opted_out: true } },
  { value: 'off', label: 'Delivery off', query: { delivery: 'off' } },
  { value: 'unreachable', label: 'Unreachable', query: { delivery: 'unreachable' } },
];

const sortChoices: Choice[] = [
  { value: '', label: 'Newest first', query: { sort: 'created' } },
  { value: 'oldest', label: 'Oldest first', query: { sort: 'created', order: 'asc' } },
  { value: 'name', label: 'Name, A to Z', query: { sort: 'name' } },
  { value: 'name-down', label: 'Name, Z to A', query: { sort: 'name', order: 'desc' } },
  { value: 'email', label: 'Email, A to Z', query: { sort: 'email' } },
  { value: 'email-down', label: 'Email, Z to A', query: { sort: 'email', order: 'desc' } },
  { value: 'phone', label: 'Phone, ascending', query: { sort: 'phone' } },
  { value: 'phone-down', label: 'Phone, descending', query: { sort: 'phone', order: 'desc' } },
  { value: 'last', label: 'Last message, newest first', query: { sort: 'last_message' } },
  {
    value: 'last-up',
    label: 'Last message, oldest first',
    query: { sort: 'last_message', order: 'asc' },
  },
  { value: 'hour', label: 'Delivery time, earliest first', query: { sort: 'delivery_time' } },
  {
    value: 'hour-down',
    label: 'Delivery time, latest first',
    query: { sort: 'delivery_time', order: 'desc' },
  },
  { value: 'status', label: 'Status, past due first', query: { sort: 'status' } },
  {
    value: 'status-down',
    label: 'Status, expired first',
    query: { sort: 'status', order: 'desc' },
  },
  { value: 'renews', label: 'Renews, soonest first', query: { sort: 'renews' } },
  {
    value: 'renews-down',
    label: 'Renews, latest first',
    query: { sort: 'renews', order: 'desc' },
  },
];

/** Contacts sort the list only for admins who see them. */
export const sortsFor = (seesContacts: boolean): Choice[] =>
  sortChoices.filter(
    ({ query: { sort } }) => seesContacts || (sort !== 'email' && sort !== 'phone'),
  );

/** Columns that sort the list: the choice for a first click, and the one for the other order. */
export const sortColumns: Record<string, { first: string; other: string; isRising: boolean }> = {
  Name: { first: 'name', other: 'name-down', isRising: true },
  Email: { first: 'email', other: 'email-down', isRising: true },
  Phone: { first: 'phone', other: 'phone-down', isRising: true },
  'Delivery time': { first: 'hour', other: 'hour-down', isRising: true },
  'Last message': { first: 'last', other: 'last-up', isRising: false },
  Status: { first: 'status', other: 'status-down', isRising: true },
  Renews: { first: 'renews', other: 'renews-down', isRising: true },
  Joined: { first: '', other: 'oldest', isRising: false },
};

const choicesOf = {
  status: statusChoices,
  subscription: subscriptionChoices,
  texts: textsChoices,
  sort: sortChoices,
};
type Chosen = keyof typeof choicesOf;
const chosenFields = Object.keys(choicesOf) as Chosen[];

const known = (field: Chosen, value: string | null): string =>
  choicesOf[field].find((choice) => choice.value === value)?.value ?? '';

/** Reads the filters from the URL, replacing invalid values with defaults. */
export const readFilters = (params: URLSearchParams, pageSize: number): ListFilters => {
  const page = Number(params.get('page') ?? '1');
  const isPage = Number.isInteger(page) && page > 0 && page <= 400;
  return {
    search: (params.get('search') ?? '').slice(0, 100),
    status: known('status', params.get('status')),
    subscription: known('subscription', params.get('subscription')),
    texts: known('texts', params.get('texts')),
    sort: known('sort', params.get('sort')),
    offset: isPage ? (page - 1) * pageSize : 0,
  };
};

/** Returns the URL parameters that these filters change. Changing a filter resets the page. */
export const filterParams = (
  { offset = 0, ...filters }: Partial<ListFilters>,
  pageSize: number,
): UrlParams => ({ ...filters, page: offset === 0 ? null : String(offset / pageSize + 1) });

/** Returns the query for the API. */
export const queryOf = (filters: ListFilters, limit: number): UserListQuery => {
  const chosen = chosenFields.map(
    (field) => choicesOf[field].find((choice) => choice.value === filters[field])?.query ?? {},
  );
  const query: UserListQuery = Object.assign({ limit, offset: filters.offset }, ...chosen);
  return filters.search === '' ? query : { ...query, search: filters.search };
};

/** Returns the number of filters besides the search. */
export const activeFilters = ({ status, subscription, texts }: ListFilters): number =>
  [status, subscription, texts].filter((value) => value !== '').length;

export const isNarrowed = (filters: ListFilters): boolean =>
  filters.search !== '' || activeFilters(filters) > 0;
