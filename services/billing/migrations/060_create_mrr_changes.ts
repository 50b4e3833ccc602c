import { type Kysely, sql } from 'kysely';

const paying = `('trial', 'active', 'past_due')`;

export async function up(db: Kysely<unknown>): Promise<void> {
  // Each change of a subscriber's monthly recurring revenue. Their current one is the last row's `after_cents`.
  await sql`create table mrr_changes (
    position bigint generated always as identity primary key,
    user_id uuid not null references customers,
    at timestamptz not null,
    kind text not null check (kind in ('new', 'expansion', 'contraction', 'churned', 'reactivated')),
    before_cents integer not null check (before_cents >= 0),
    after_cents integer not null check (after_cents >= 0),
    check (before_cents <> after_cents)
  )`.execute(db);
  await sql`create index mrr_changes_user on mrr_changes (user_id, position desc)`.execute(db);
  await sql`create index mrr_changes_at on mrr_changes (at)`.execute(db);
  // Past changes, from the published versions and the first payment. Before versions were stored, from the last state.
  await sql
    .raw(`insert into mrr_changes (user_id, at, kind, before_cents, after_cents)
    with prices as (
      select plan, mode() within group (order by price_cents) as cents
      from subscriptions where price_cents is not null group by plan
    ), paid as (
      select user_id, min(paid_at) as at from invoices
      where status = 'paid' and coalesce(total_cents, amount_paid_cents) > 0 and user_id is not null
      group by user_id
    ), points as (
      select c.user_id, greatest(c.changed_at, paid.at) as at, c.version, c.status, c.plan
      from subscription_changes c join paid using (user_id)
      where not exists (select from subscription_changes n
        where n.user_id = c.user_id and n.version = c.version + 1 and n.changed_at <= paid.at)
      union all
      select s.user_id, paid.at, 0, 'active', s.plan from subscriptions s join paid using (user_id)
      where not exists (select from subscription_changes c where c.user_id = s.user_id)
      union all
      select s.user_id, greatest(coalesce(s.current_period_end, s.checked_at), paid.at), 1, s.status, s.plan
      from subscriptions s join paid using (user_id)
      where s.status not in ${paying}
        and not exists (select from subscription_changes c where c.user_id = s.user_id)
    ), amounts as (
      select points.user_id, points.at, points.version,
        case when points.status in ${paying} then round(
          case when s.plan = points.plan and s.price_cents is not null then s.price_cents else prices.cents end
          / case when points.plan = 'yearly' then 12.0 else 1 end)::integer
        else 0 end as cents
      from points join subscriptions s using (user_id) join prices on prices.plan = points.plan
    ), steps as (
      select user_id, at, version, cents,
        coalesce(lag(cents) over ordered, 0) as before_cents,
        coalesce(max(cents) over (partition by user_id order by at, version
          rows between unbounded preceding and 1 preceding), 0) as most_before
      from amounts window ordered as (partition by user_id order by at, version)
    )
    select user_id, at,
      case when before_cents = 0 and most_before = 0 then 'new' when before_cents = 0 then 'reactivated'
        when cents = 0 then 'churned' when cents > before_cents then 'expansion' else 'contraction' end,
      before_cents, cents
    from steps where before_cents <> cents order by at, version`)
    .execute(db);
}
