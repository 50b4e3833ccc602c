import { minuteMs } from '@daylift/clock/durations';
import { eventually } from '@daylift/testing/eventually';
import { describe, expect, test } from 'vitest';
import {
  aSubscriber,
  guessed,
  isEnded,
  logIn,
  type Person,
  password,
  post,
  stolen,
  target,
} from './target.ts';

describe('Taking over an account by setting its password', () => {
  const requestCode = (email_or_phone: string) =>
    post('/users/set-password', { email_or_phone, password: stolen });
  const withCode = ({ email }: Person, code: string, word = stolen) =>
    post('/users/set-password', { email_or_phone: email, password: word, code });
  const codesOf = async ({ phone }: Person) =>
    (await target().product.texts(phone)).flatMap(
      (text) => /\b(\d{6}) is your code/.exec(text.text)?.[1] ?? [],
    );
  async function codeOf(person: Person): Promise<string> {
    const before = (await codesOf(person)).length;
    expect((await requestCode(person.email)).status).toBe(202);
    return eventually(async () => (await codesOf(person))[before], {
      within: 30_000,
      what: 'a code',
    });
  }
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  async function expectUntouched(person: Person): Promise<void> {
    expect((await logIn(person)).status).toBe(200);
    expect((await logIn(person, stolen)).status).toBe(401);
  }

  test('responds the same to everyone, and texts a code only to the number on file', async () => {
    const person = await aSubscriber();
    const strangers = ['unknown@example.com', '+14155559999', 'nonsense', "' or 1=1 --"];
    const responses = [];
    for (const name of [person.email, person.phone, person.email.toUpperCase(), ...strangers])
      responses.push(await requestCode(name));
    expect(new Set(responses.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(responses[0]?.status).toBe(202);
    await eventually(async () => (await codesOf(person)).length > 0, { what: 'a code' });
    await target().product.settle();
    const others = (await target().product.texts()).filter((text) => text.to !== person.phone);
    expect(others.filter((text) => text.text.includes('is your code'))).toEqual([]);
    await expectUntouched(person);
  });

  test("fails with a wrong code, with another account's, and after too many tries even with the right one", async () => {
    const [person, thief] = [await aSubscriber(), await aSubscriber()];
    const [code, thiefCode] = [await codeOf(person), await codeOf(thief)];
    const tries = [thiefCode === code ? wrong(code) : thiefCode, wrong(code)];
    for (const one of [...tries, ...tries, ...tries])
      expect([400, 429]).toContain((await withCode(person, one)).status);
    expect([400, 429]).toContain((await withCode(person, code)).status);
    await expectUntouched(person);
  });

  test('fails ten minutes later', async () => {
    const person = await aSubscriber();
    const code = await codeOf(person);
    await target().product.advanceTo(
      new Date((await target().product.now()).getTime() + 11 * minuteMs),
    );
    expect((await withCode(person, code)).status).toBe(400);
    await expectUntouched(person);
  });

  test("works once for the phone's owner, ends every session, and is reported by email", async () => {
    const person = await aSubscriber();
    const token = await target().product.login(person.email, password);
    const code = await codeOf(person);
    expect((await withCode(person, code)).status).toBe(200);
    await isEnded(token);
    expect((await logIn(person, stolen)).status).toBe(200);
    expect((await logIn(person)).status).toBe(401);
    expect((await withCode(person, code, guessed)).status).toBe(400);
    expect((await logIn(person, guessed)).status).toBe(401);
    const emails = () =>
      target().product.sandbox<{ subject: string }[]>('GET', `/sandbox/emails?to=${person.email}`);
    await eventually(
      async () => (await emails()).body.some((one) => /password/i.test(one.subject)),
      {
        within: 30_000,
        what: 'the notice',
      },
    );
  });

  test('limits the codes to a number', async () => {
    const person = await aSubscriber();
    for (let time = 0; time < 12; time += 1)
      expect([202, 429]).toContain((await requestCode(person.phone)).status);
    await target().product.settle();
    expect((await codesOf(person)).length).toBeLessThanOrEqual(5);
  });
});
