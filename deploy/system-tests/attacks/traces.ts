import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apiRoutes } from '../../../services/gateway/src/routes-table.ts';
import {
  aPerson,
  aSubscriber,
  get,
  guessed,
  password,
  post,
  signInAdmin,
  statusOf,
  stolen,
  target,
} from './target.ts';

test('no response contains a password or its hash', async () => {
  const person = await aPerson();
  const token = await target().product.login(person.email, password);
  const admin = await signInAdmin();
  const calls = apiRoutes.filter(({ method, access }) => method === 'GET' && access !== 'webhook');
  const responses = await Promise.all(
    calls.map((route) =>
      get<unknown>(
        route.path.replaceAll(/:\w+/g, randomUUID()),
        ['viewer', 'operator', 'owner'].includes(route.access) ? admin : token,
      ),
    ),
  );
  const changed = { old_password: password, new_password: guessed };
  responses.push(await post('/subscriptions', { ...person, id: undefined, password: stolen }));
  responses.push(
    await post('/subscriptions', { ...person, id: undefined, email: 'no', password: stolen }),
  );
  responses.push(
    await post('/users/me/change-password', { ...changed, old_password: stolen }, token),
  );
  responses.push(await target().product.api('PUT', '/users/me', { password: stolen }, token));
  responses.push(await post('/users/me/change-password', changed, token));
  responses.push(
    await post('/users/set-password', { email_or_phone: person.email, password: stolen }),
  );
  const json = JSON.stringify(responses);
  for (const secret of [password, stolen, guessed, 'argon2', 'password_hash'])
    expect(json).not.toContain(secret);
});

describe('Repeated messages and requests', () => {
  const message = { subject: 'canary subject', message: 'canary message' };
  const times = async (count: number, one: (at: number) => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    for (let at = 0; at < count; at += 1) statuses.push((await one(at)).status);
    return statuses;
  };

  test('are accepted a few times and then rejected, with any claimed sender', async () => {
    const person = await aSubscriber({ sms_consent: false });
    const token = await target().product.login(person.email, password);
    await target().product.settle();
    const texts = (await target().product.texts(person.phone)).length;
    const flood = {
      support: await times(12, () => post('/support/contact', message, token)),
      contact: await times(12, (at) =>
        post('/contact', { ...message, name: 'Sam', email: `sam-${at}@example.com` }),
      ),
      consent: await times(12, () => post('/users/me/consent-request', undefined, token)),
    };
    for (const statuses of Object.values(flood)) {
      expect(statuses[0]).toBe(202);
      expect(statuses.at(-1)).toBe(429);
      expect(statuses.filter((status) => status === 202).length).toBeLessThanOrEqual(5);
    }
    await target().product.settle();
    expect((await target().product.texts(person.phone)).length - texts).toBeLessThanOrEqual(5);
  });

  test("can't inject mail headers", async () => {
    const person = await aPerson();
    const token = await target().product.login(person.email, password);
    const evil = { subject: 'Hello\r\nBcc: victim@example.com', message: 'x' };
    expect((await post('/support/contact', evil, token)).status).toBe(400);
    const query = new URLSearchParams(evil);
    expect((await post(`/support/contact?${query}`, undefined, token)).status).toBe(400);
    await target().product.settle();
    const mails = await target().product.sandbox<unknown[]>(
      'GET',
      '/sandbox/emails?to=victim@example.com',
    );
    expect(mails.body).toEqual([]);
  });
});

describe('Afterwards', () => {
  const filesBelow = (folder: string): string[] =>
    readdirSync(folder, { recursive: true })
      .map((name) => join(folder, String(name)))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false);
  const holding = (folder: string, secrets: string[]) =>
    filesBelow(folder).filter((path) => {
      const bytes = readFileSync(path);
      return secrets.some((secret) => bytes.includes(secret));
    });

  test('no log contains a password, a message, a token, a number or an address', async () => {
    const person = await aPerson();
    const token = await target().product.login(person.email, password);
    const admin = await signInAdmin();
    const query = new URLSearchParams({
      old_password: stolen,
      new_password: guessed,
      subject: 'canary subject',
      message: 'canary message',
      login: person.email,
      search: person.phone,
    });
    for (const { method, path } of apiRoutes) {
      if (path.endsWith('/logout')) continue;
      const address = `${path.replaceAll(/:\w+/g, 'canary-path')}?${query}`;
      for (const bearer of [undefined, token, admin])
        expect(
          await statusOf(target().product.api(method, address, undefined, bearer)),
          address,
        ).toBeLessThan(500);
    }
    const secrets = [password, stolen, guessed, 'canary', token, person.phone, person.email];
    const encoded = secrets.flatMap((one) => [
      one,
      encodeURIComponent(one),
      one.replaceAll(' ', '+'),
    ]);
    expect(holding(target().stack.layout.logs, encoded)).toEqual([]);
  });

  test('no file of a database, queue or provider contains a password', () => {
    const { root } = target().stack.layout;
    expect(holding(root, [password, stolen, guessed])).toEqual([]);
  });
});
