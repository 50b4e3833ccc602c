import { eventually } from '@daylift/testing/eventually';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminCalls } from '../../test/admin-calls.ts';
import { aNumber, aSubscriber } from '../../test/factories.ts';
import { createHarness, type Harness } from '../../test/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.db.deleteFrom('mails').execute();
});
afterEach(() => harness.sandbox.faults({ reset: true }));

const storedTexts = (from: string) =>
  harness.db.selectFrom('inbound_texts').selectAll().where('from_number', '=', from).execute();
async function reply(from: string, text: string): Promise<void> {
  const before = (await storedTexts(from)).length;
  await harness.sandbox.reply(from, text);
  await eventually(async () => (await storedTexts(from)).length > before, { what: 'the reply' });
}
const ourWords = async (to: string) => (await harness.sandbox.texts(to)).map(({ text }) => text);
const toRead = async (userId: string | null) =>
  (await harness.published<{ user_id: string | null }>('sms.reply.received')).filter(
    ({ user_id }) => user_id === userId,
  );
const alerts = () => harness.db.selectFrom('mails').selectAll().execute();
const inUs =
  "Daylift: We're so sorry you're hurting. This is an automated reply. Please talk to someone now: call or text 988, free, 24/7. In danger? Call 911.";

describe('someone who may be in danger', () => {
  it('gets the crisis line of their country immediately, even in quiet hours, and staff are alerted', async () => {
    // 3:30 AM in New York.
    await harness.moveTo(new Date('2027-03-10T08:30:00Z'));
    const { phone, user_id } = await aSubscriber(harness);
    const british = await aSubscriber(harness, { phone: '+447400123456' });
    await reply(phone, 'I want to die');
    await reply(british.phone, 'I can’t go on');
    await harness.sendAllDue();
    expect(await ourWords(phone)).toEqual([inUs]);
    const [toBritish] = await ourWords(british.phone);
    expect(toBritish).toContain('call Samaritans on 116 123, free, 24/7. In danger? Call 999.');
    expect(await toRead(user_id)).toHaveLength(1);
    const mails = await alerts();
    expect(mails.map(({ to_address }) => to_address)).toEqual(
      Array(2).fill('support@daylift.example'),
    );
    const { subject, text } = mails[0]!;
    expect(subject).toBe('Daylift: someone may be in danger');
    expect(text).toContain('https://daylift.example/admin/dashboard?tab=inbox');
    expect(text).not.toContain('die');
    expect(text).not.toContain(phone);
  });

  it('gets one such text an hour, and each reply reaches the inbox, however many there are', async () => {
    const phone = aNumber();
    const before = (await toRead(null)).length;
    for (let replies = 1; replies <= 7; replies += 1)
      await reply(phone, `I want to die, ${replies}`);
    await harness.sendAllDue();
    expect(await ourWords(phone)).toEqual([inUs]);
    expect((await toRead(null)).length - before).toBe(7);
    expect(await alerts()).toHaveLength(1);
  });

  it('is not unsubscribed by "end it all", and is by STOP beside it', async () => {
    const [one, other] = [await aSubscriber(harness), await aSubscriber(harness)];
    await reply(one.phone, 'I want to end it all');
    await reply(other.phone, 'I want to end it all. Please stop texting me');
    await harness.sendAllDue();
    expect(await ourWords(one.phone)).toEqual([inUs]);
    expect((await storedTexts(other.phone))[0]).toMatchObject({ meaning: 'stop' });
  });

  it.each([
    'STOP im suicidal',
    'I want to die STOP',
    'STOP texting me or I will kill myself',
    'Take me off your list I want to die',
  ])('is unsubscribed by STOP without punctuation, and gets no other text: %s', async (words) => {
    const { phone } = await aSubscriber(harness);
    await reply(phone, words);
    await harness.sendAllDue();
    expect((await storedTexts(phone))[0]).toMatchObject({ meaning: 'stop' });
    expect(await ourWords(phone)).not.toContain(inUs);
    expect(await alerts()).toHaveLength(1);
  });

  it('gets no text after STOP, but reaches the inbox and staff', async () => {
    const { phone, user_id } = await aSubscriber(harness);
    await reply(phone, 'STOP');
    await reply(phone, 'I want to die');
    await harness.sendAllDue();
    expect(await ourWords(phone)).toEqual([]);
    expect(await toRead(user_id)).toHaveLength(1);
    expect(await alerts()).toHaveLength(1);
  });

  it('is alerted about to the alert address if there is one', async () => {
    const { post } = adminCalls(harness);
    const settings = { email: 'ops@example.com', failure_threshold: 20, enabled: true };
    await post('/admin/settings/alert-email', settings);
    await reply(aNumber(), 'I want to die');
    await post('/admin/settings/alert-email', { ...settings, enabled: false });
    expect(await alerts()).toMatchObject([{ to_address: 'ops@example.com' }]);
  });
});

it('a reply with the words in another meaning gets no crisis line', async () => {
  const { phone } = await aSubscriber(harness);
  await reply(phone, "I don't want to die, I want to live! This made me die laughing");
  await harness.sendAllDue();
  expect(await ourWords(phone)).toEqual([]);
  expect(await alerts()).toEqual([]);
});
