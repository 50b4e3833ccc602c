import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { eventually } from '@daylift/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryDatabase } from '../query-database.ts';
import { aSubscriber, get, password, startTarget, stopTarget, target } from './target.ts';

beforeAll(startTarget, 180_000);
afterAll(stopTarget);

const isReady = () =>
  eventually(
    async () => (await fetch(`${target().stack.urls.gateway}/readyz`).catch(() => null))?.ok,
    { within: 60_000, what: 'the product' },
  );

/** Keeps the data of Postgres as a replica has it whose primary then writes more. */
async function saveReplica(): Promise<void> {
  const { databaseLocation: data, whileDown } = target().stack;
  await whileDown('postgres', () => void execFileSync('cp', ['-a', data, `${data}.replica`]));
  await isReady();
}

async function failOver(): Promise<void> {
  const { databaseLocation: data, whileDown } = target().stack;
  await whileDown('postgres', () => {
    rmSync(data, { recursive: true });
    execFileSync('mv', [`${data}.replica`, data]);
  });
  await isReady();
}

test('accounts and scheduler apply a STOP again after a failover loses it, although sms-gateway lost the text', async () => {
  const { product, stack } = target();
  const person = await aSubscriber();
  const token = await product.login(person.email, password);
  const isStopped = async () =>
    (await get<{ opted_out: boolean }>('/users/me', token)).body.opted_out;
  const planned = async () =>
    (
      await queryDatabase<{ opted_out: boolean }>(
        stack,
        'select opted_out from scheduler.subscribers where user_id = $1',
        [person.id],
      )
    )[0]?.opted_out;
  await saveReplica();
  await product.reply(person.phone, 'STOP');
  await eventually(async () => (await isStopped()) && (await planned()), {
    within: 30_000,
    what: 'the STOP',
  });
  await product.settle();
  await failOver();
  expect(await queryDatabase(stack, 'select id from sms_gateway.inbound_texts')).toEqual([]);
  // Idle consumers check once a minute.
  await product.advance(1);
  await eventually(async () => (await isStopped()) && (await planned()), {
    within: 30_000,
    what: 'the lost STOP',
  });
});
