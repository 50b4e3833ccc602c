/** Not every subscriber writes. */
const maxMessages = 60_000;

/** Returns one statement per table with subscriber data. All read the temporary table `people`. */
export const subscriberStatements = (now: Date): [table: string, statement: string][] => {
  const at = `timestamptz '${now.toISOString()}'`;
  // Matches no password.
  const noPassword = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  const entitled = `status in ('active', 'trial', 'past_due')`;
  const trialEnd = `case when status = 'trial' then ${at} + (1 + n % 3) * interval '1 day' end`;
  const entitledUntil = `case when status = 'trial' then ${at} + (1 + n % 3) * interval '1 day'
    when status = 'past_due' then ${at} + interval '5 days' end`;
  const periodEnd = `${at} + (1 + n % 25) * interval '1 day'`;
  const mayReceive = `is_active and ${entitled}`;
  // The next occurrence of the subscriber's hour, ignoring daylight saving changes.
  const today = `(${at} at time zone timezone)::date`;
  const hourOf = (date: string) =>
    `((${date} + make_interval(hours => hour)) at time zone timezone)`;
  const nextDate = `case when ${hourOf(today)} > ${at} then ${today} else ${today} + 1 end`;
  const weeklyDate = `${today} + (7 + weekday - extract(isodow from ${today})::int) % 7
    + case when weekday = extract(isodow from ${today})::int and ${hourOf(today)} <= ${at} then 7 else 0 end`;
  const next = `case when frequency = 'weekly' then ${weeklyDate} else ${nextDate} end`;
  return [
    [
      'accounts.users',
      `insert into accounts.users (id, version, name, email, phone, password_hash, timezone, delivery_hour, frequency,
          weekday, is_active, delivery_enabled, consent, opted_out, opted_out_at, plan, subscription_status,
          subscription_version, period_version, period_end, renews, registered_at)
        select user_id, 1, name, email, phone, '${noPassword}', timezone, hour, frequency, weekday, is_active,
          delivery_enabled, consent, opted_out, case when opted_out then ${at} end, plan, status, 1, 1,
          case when status in ('trial', 'active', 'past_due') then ${periodEnd} end, true, registered_at
        from people on conflict do nothing`,
    ],
    [
      'accounts.last_texts',
      `insert into accounts.last_texts (user_id, sent_at) select user_id, ${hourOf(`${today} - 1`)}
        from people where ${mayReceive}
        on conflict (user_id) do update set sent_at = greatest(last_texts.sent_at, excluded.sent_at)`,
    ],
    [
      'accounts.consents',
      `insert into accounts.consents (id, user_id, phone_hash, source, wording_version, given_at, timezone, delivery_hour)
        select user_id, user_id, phone_hash, 'signup', '2026-01', registered_at, timezone, hour
        from people where consent = 'granted' on conflict do nothing`,
    ],
    [
      'accounts.conversations',
      `insert into accounts.conversations (id, kind, state, user_id, name, email, subject, by_text, last_at, closed_at, closed_by)
        select md5('seeded letter ' || n)::uuid, 'support', case when n % 50 = 0 then 'open' else 'closed' end, user_id,
          name, email, 'A question', false, registered_at + interval '1 hour',
          case when n % 50 <> 0 then registered_at + interval '1 day' end, case when n % 50 <> 0 then 'seed' end
        from people where n <= ${maxMessages} on conflict do nothing`,
    ],
    [
      'accounts.letters',
      `insert into accounts.letters (id, conversation_id, kind, user_id, name, email, subject, message, created_at)
        select md5('seeded letter ' || n)::uuid, md5('seeded letter ' || n)::uuid, 'support', user_id, name, email,
          'A question', 'Can my text number ' || n || ' come earlier?', registered_at + interval '1 hour'
        from people where n <= ${maxMessages} on conflict do nothing`,
    ],
    [
      'billing.customers',
      `insert into billing.customers (user_id, email, name, timezone, plan, email_hash, phone_hash, registered_at)
        select user_id, email, name, timezone, plan, email_hash, phone_hash, registered_at
        from people on conflict do nothing`,
    ],
    [
      'billing.subscriptions',
      `insert into billing.subscriptions (user_id, stripe_subscription_id, read_ticket, version, status, is_live, plan,
          started_at, trial_end, current_period_end, cancel_at_period_end, entitled, entitled_until, entitled_since,
          past_due_since, checked_at, created_at, price_cents, reminded_trial_end)
        select user_id, 'sub_seeded_' || user_id, 1, 1, status, status <> 'canceled', plan, registered_at,
          ${trialEnd}, ${periodEnd}, false, ${entitled}, ${entitledUntil}, registered_at,
          case when status = 'past_due' then ${at} - interval '2 days' end, ${at}, registered_at,
          case when plan = 'yearly' then 4999 else 499 end, ${trialEnd}
        from people on conflict do nothing`,
    ],
    [
      'billing.invoices',
      `insert into billing.invoices (id, user_id, read_ticket, status, currency, amount_due_cents, amount_paid_cents,
          attempt_count, created_at, paid_at, total_cents)
        select 'in_seeded_' || user_id, user_id, 1, 'paid', 'usd', cents, cents, 1, registered_at + interval '3 days',
          registered_at + interval '3 days', cents
        from (select *, case when plan = 'yearly' then 4999 else 499 end as cents from people
          where status in ('active', 'past_due')) as payers on conflict do nothing`,
    ],
    [
      'billing.mrr_changes',
      `insert into billing.mrr_changes (user_id, at, kind, before_cents, after_cents)
        select user_id, registered_at + interval '3 days', 'new', 0, case when plan = 'yearly' then 417 else 499 end
        from people where status in ('active', 'past_due')
          and not exists (select from billing.mrr_changes m where m.user_id = people.user_id)`,
    ],
    [
      'scheduler.zones',
      'insert into scheduler.zones select distinct timezone from people on conflict do nothing',
    ],
    [
      'scheduler.subscribers',
      `insert into scheduler.subscribers (user_id, settings_version, timezone, delivery_hour, frequency, weekday,
          is_active, delivery_enabled, consent, subscription_version, entitled, entitled_until, entitled_since, opted_out,
          opted_at, first_local_date, next_local_date, next_due_at)
        select user_id, 1, timezone, hour, frequency, weekday, is_active, delivery_enabled, consent, 1, ${entitled},
          ${entitledUntil}, registered_at, opted_out, case when opted_out then ${at} end,
          (registered_at at time zone timezone)::date + 1, case when ${mayReceive} then next end,
          case when ${mayReceive} then ${hourOf('next')} end
        from (select *, ${next} as next from people) as planned on conflict do nothing`,
    ],
    [
      'sms_gateway.recipients',
      `insert into sms_gateway.recipients (user_id, version, subscription_version, phone, number_hash, number_version,
          first_name, timezone, delivery_hour, frequency, weekday, is_active, delivery_enabled, consent, entitled,
          entitled_until, sender, reached_at)
        select user_id, 1, 1, phone, number_hash, 1, split_part(name, ' ', 1), timezone, hour, frequency, weekday,
          is_active, delivery_enabled, consent, ${entitled}, ${entitledUntil}, 'first',
          ${at} - random() * interval '7 days'
        from people on conflict do nothing`,
    ],
    [
      // All have been welcomed.
      'sms_gateway.own_text_keys',
      `insert into sms_gateway.own_text_keys (key, text_id, created_at)
        select 'welcome:' || user_id, 'seeded-welcome-' || user_id, registered_at
        from people on conflict do nothing`,
    ],
    [
      'sms_gateway.opt_outs',
      `insert into sms_gateway.opt_outs (number_hash, opted_out, changed_at, source)
        select number_hash, true, ${at}, 'keyword' from people where opted_out on conflict do nothing`,
    ],
  ];
};
