/**
 * Returns statements for the texts of one past day: the plan and the outcome of each. 97% are delivered, 2% failed and
 * 1% unknown.
 */
export function textStatements(date: string, limit: number): [table: string, statement: string][] {
  const due = `((date '${date}' + make_interval(hours => hour)) at time zone timezone)`;
  const id = `scheduler.dispatch_id(user_id, date '${date}', 'daily', 1)`;
  const batch = `md5('seeded batch ' || date_trunc('hour', ${due}, 'UTC')::text)::uuid`;
  const local = `due at time zone 'America/New_York'`;
  const name = `'Daily texts, ' || to_char(${local}, 'Mon FMDD, YYYY, FMHH12:00 AM') ||
    case (${local}) - due at time zone 'UTC' when interval '-4 hours' then ' EDT' else ' EST' end`;
  // Spread over half an hour.
  const sentAt = `${due} + make_interval(secs => n % 1800)`;
  const readers = `(select *, ${due} as due, ${sentAt} as went, ${id} as id, ${batch} as batch_id from people
    where is_active and status <> 'canceled' and registered_at < ${due}
      and (frequency = 'daily' or weekday = extract(isodow from date '${date}')::int)
    order by user_id limit ${limit}) as readers`;
  const windows = `jsonb_build_array(jsonb_build_object('opens_at', due, 'closes_at', due + interval '3 hours'))`;
  return [
    [
      'scheduler.batches',
      `insert into scheduler.batches (id, key, kind, name, created_at)
        select distinct batch_id, 'daily/' || to_char(due at time zone 'UTC', 'YYYY-MM-DD"T"HH24:00:00.000"Z"'),
          'scheduled', ${name}, due
        from ${readers} on conflict do nothing`,
    ],
    [
      'sms_gateway.batches',
      `insert into sms_gateway.batches (id, kind, name, created_at)
        select distinct batch_id, 'scheduled', ${name}, due
        from ${readers} on conflict do nothing`,
    ],
    [
      'scheduler.dispatches',
      `insert into scheduler.dispatches (user_id, local_date, kind, id, state, due_at, timezone, delivery_hour,
          frequency, weekday, template_id, batch_id, windows, released_at, settled_at)
        select user_id, date '${date}', 'daily', id, 'accepted', due, timezone, hour, frequency, weekday,
          (array(select id from scheduler.templates order by id limit 100))[1 + n % 100], batch_id, ${windows}, went, went
        from ${readers} on conflict do nothing`,
    ],
    [
      'sms_gateway.texts',
      `insert into sms_gateway.texts (id, local_date, kind, user_id, batch_id, content, windows, deadline_at, state,
          reason, error_code, attempts, attempt_token, next_attempt_at, to_number, body, provider_id, handed_at,
          settled_at, finalized_at, parts, cost, currency, created_at)
        select id, date '${date}', 'daily', user_id, batch_id, 'A small step is a step.', ${windows}, due + interval '3 hours',
          case when n % 100 < 97 then 'delivered' when n % 100 < 99 then 'failed' else 'unknown' end,
          case when n % 100 in (97, 98) then 'refused by the carrier' end, case when n % 100 in (97, 98) then '40008' end,
          1, md5('seeded attempt')::uuid, due, phone, 'A small step is a step.', 'seeded-' || id, went, went,
          went + interval '2 seconds', 1, 0.004, 'USD', went
        from ${readers} on conflict do nothing`,
    ],
  ];
}
