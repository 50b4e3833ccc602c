import type { HistoryItem, HistoryQuery } from '@daylift/contracts/sms.http';
import { spansBackward } from '@daylift/database/date-spans';
import { dayAfter } from '@daylift/delivery/next-date';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { UnknownHistoryItem } from '../errors.ts';
import { localDateOf } from '../texts/text-ids.ts';
import { statusOf } from '../texts/text-states.ts';
import {
  findFirstDate,
  findPlace,
  findShownTexts,
  type Place,
  type ShownText,
} from './history.repository.ts';

/** Returns a page of a subscriber's texts, newest first. */
export async function readHistory(
  db: Kysely<SmsDatabase>,
  userId: string,
  { limit, search, before, date }: HistoryQuery,
  now: Date,
): Promise<HistoryItem[]> {
  const behind = before === undefined ? null : await placeOf(db, userId, before);
  if (date !== undefined) {
    const day = { from: date, until: date, behind, search, limit };
    return (await findShownTexts(db, userId, day)).map(itemOf);
  }
  const found: ShownText[] = [];
  const spans = spansBackward(behind?.local_date ?? latestDate(now), () =>
    findFirstDate(db, userId),
  );
  for await (const span of spans) {
    const left = limit - found.length;
    found.push(...(await findShownTexts(db, userId, { ...span, behind, search, limit: left })));
    if (found.length === limit) break;
  }
  return found.map(itemOf);
}

async function placeOf(db: Kysely<SmsDatabase>, userId: string, id: string): Promise<Place> {
  const localDate = localDateOf(id);
  const place =
    localDate === null ? undefined : await findPlace(db, userId, { id, local_date: localDate });
  if (place === undefined) throw new UnknownHistoryItem();
  return place;
}

/** The latest date anywhere on earth: the subscriber may have moved west since their last text. */
const latestDate = (now: Date) => dayAfter(now.toISOString().slice(0, 10));

const itemOf = (text: ShownText): HistoryItem => ({
  id: text.id,
  kind: text.kind,
  message_content: text.body ?? text.content,
  sent_at: text.handed_at.toISOString(),
  local_date: text.local_date,
  status: statusOf(text.state),
});
