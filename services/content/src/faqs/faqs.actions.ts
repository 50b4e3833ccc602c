import { randomUUID } from 'node:crypto';
import type {
  CreateFaqRequest,
  EditableFaq,
  UpdateFaqRequest,
} from '@daylift/contracts/library.http';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import type { Trx } from '../database.ts';
import type { ContentDeps } from '../deps.ts';
import {
  BlankField,
  ChangedMeanwhile,
  OtherFaqs,
  TooManyFaqs,
  UnknownFaq,
  UnknownFaqPlaceholder,
} from '../errors.ts';
import { cleanContent, cleanTitle } from '../words/clean-text.ts';
import { duplicatesSince } from '../words/double-click.ts';
import {
  changeFaq,
  insertFaq,
  listFaqs,
  lockFaqs,
  placeFaqs,
  removeFaq,
} from './faqs.repository.ts';

type Deps = Pick<ContentDeps, 'db' | 'clock'>;
const maxFaqs = 200;

/** Adds a question at the end. A double click adds one. */
export async function createFaq(
  { db, clock }: Deps,
  request: CreateFaqRequest,
  by: ActingAdmin,
): Promise<EditableFaq> {
  const now = clock.now();
  const words = checkFaq(request);
  return db.transaction().execute(async (trx) => {
    const faqs = await lockFaqs(trx);
    const duplicate = faqs.find(
      (one) => isSame(one, words) && (one.created_at ?? new Date(0)) >= duplicatesSince(now),
    );
    if (duplicate !== undefined) return duplicate;
    if (faqs.length >= maxFaqs) throw new TooManyFaqs(maxFaqs);
    const position = (faqs.at(-1)?.position ?? 0) + 1;
    const stored = await insertFaq(trx, {
      ...words,
      id: randomUUID(),
      version: 1,
      position,
      created_at: now,
    });
    await record(trx, by, 'faq.created', stored.id, now);
    return stored;
  });
}

export async function updateFaq(
  { db, clock }: Deps,
  id: string,
  { version, ...request }: UpdateFaqRequest,
  by: ActingAdmin,
): Promise<EditableFaq> {
  const words = checkFaq(request);
  return db.transaction().execute(async (trx) => {
    const before = (await lockFaqs(trx)).find((one) => one.id === id);
    if (before === undefined) throw new UnknownFaq();
    if (isSame(before, words)) return before;
    if (before.version !== version) throw new ChangedMeanwhile();
    const stored = await changeFaq(trx, id, words);
    await record(trx, by, 'faq.changed', id, clock.now());
    return stored;
  });
}

export async function deleteFaq({ db, clock }: Deps, id: string, by: ActingAdmin): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await lockFaqs(trx)).some((one) => one.id === id)) throw new UnknownFaq();
    await removeFaq(trx, id);
    await record(trx, by, 'faq.deleted', id, clock.now());
  });
}

/** Reorders all questions. Rejects ids that don't match the current list. */
export async function orderFaqs(
  { db, clock }: Deps,
  ids: string[],
  by: ActingAdmin,
): Promise<EditableFaq[]> {
  return db.transaction().execute(async (trx) => {
    const before = (await lockFaqs(trx)).map((one) => one.id);
    if (before.toSorted().join() !== ids.toSorted().join()) throw new OtherFaqs();
    if (before.join() !== ids.join()) {
      await placeFaqs(trx, ids);
      await record(trx, by, 'faqs.ordered', null, clock.now());
    }
    return listFaqs(trx);
  });
}

function checkFaq(request: CreateFaqRequest): CreateFaqRequest {
  const question = cleanTitle(request.question);
  const answer = cleanContent(request.answer);
  if (question === '') throw new BlankField('question');
  if (answer === '') throw new BlankField('answer');
  const places = /\{\{(?!(?:product_name|support_email)\}\})[^{}]*\}\}/;
  const unknown = places.exec(`${question} ${answer}`);
  if (unknown !== null) throw new UnknownFaqPlaceholder(unknown[0]);
  return { question, answer };
}

const isSame = (one: CreateFaqRequest, other: CreateFaqRequest): boolean =>
  one.question === other.question && one.answer === other.answer;

const record = (
  trx: Trx,
  by: ActingAdmin,
  action: string,
  target: string | null,
  now: Date,
): Promise<void> => publishAdminAction(trx, 'content', by, { action, target }, now);
