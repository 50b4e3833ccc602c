import type { UserContact } from '@daylift/contracts/accounts.events';
import type { SignupFacts } from '@daylift/contracts/accounts.http';
import { publishedEvents } from '@daylift/testing/published';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aSignup, aUser, linkTokens } from '../../test/factories.ts';
import { asService, createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const ip = '198.51.100.77';
const signUp = async (email: string) => {
  const headers = { 'x-client-ip': ip };
  const body = aSignup({ email });
  const response = await harness.call({ method: 'POST', url: '/subscriptions', body, headers });
  expect(response.statusCode).toBe(201);
};

it.each([
  ['plus tags', ['victim+1', 'victim+2', 'victim+x.y', 'victim'], 'example.com'],
  ['dots at Gmail', ['mr.victim', 'm.r.victim', 'mrvicti.m+4', 'mrvictim'], 'gmail.com'],
])(
  'one mailbox spelled with %s gets six confirmations a day from one network',
  async (_what, names, domain) => {
    const emails = names.map((name) => `${name}@${domain}`);
    for (const email of emails) {
      await signUp(email);
      await signUp(email);
    }
    const sent = await Promise.all(emails.map((email) => linkTokens(harness, email)));
    expect(sent.map((links) => links.length)).toEqual([2, 2, 2, 0]);
    const other = `other.${names[0]}@${domain}`;
    await signUp(other);
    expect(await linkTokens(harness, other)).toHaveLength(1);
  },
);

it('one mailbox has one hash for billing, gets one trial, and stays as typed', async () => {
  const hashOf = async (email: string) => {
    const user = await aUser(harness, { email });
    const facts = await harness.call({ url: `/internal/signups/${user.id}`, as: asService });
    const contacts = await publishedEvents(harness.deps.db, 'accounts.contact.changed');
    const contact = contacts.map(({ data }) => data as UserContact).at(-1);
    const { email: stored, email_hash } = facts.json<SignupFacts>();
    expect([stored, contact?.email, contact?.email_hash]).toEqual([email, email, email_hash]);
    return email_hash;
  };
  const gmail = await hashOf('one.mailbox@gmail.com');
  expect(await hashOf('onemailbox+2@googlemail.com')).toBe(gmail);
  const otherDomain = await hashOf('one.mailbox@example.com');
  expect(await hashOf('one.mailbox+trial@example.com')).toBe(otherDomain);
  expect(new Set([gmail, otherDomain, await hashOf('onemailbox@example.com')]).size).toBe(3);
});
