import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestSandbox, type TestSandbox } from '../../test/harness.ts';
import type { Email } from './mail.ts';

let test: TestSandbox;
beforeAll(async () => {
  test = await startTestSandbox({ CLOCK_START: '2027-03-01T09:00:00Z' });
});
afterAll(() => test.close());

it('stores each mail with its parts, by recipient, dated in product time', async () => {
  const transport = createTransport(`smtp://127.0.0.1:${test.sandbox.smtpPort}`);
  await transport.sendMail({
    from: 'Daylift <hello@daylift.test>',
    to: 'Ann <Ann+news@example.com>',
    subject: 'Your trial ends tomorrow – €4.99',
    text: 'Hello Ann',
    html: '<p>Hello <b>Ann</b></p>',
  });
  await transport.sendMail({ from: 'a@b.test', to: 'bob@example.com', subject: 'x', text: 'y' });
  const mails = await test.get<Email[]>('/sandbox/emails?to=ann%2Bnews@example.com');
  expect(mails).toMatchObject([
    {
      to: 'ann+news@example.com',
      from: 'hello@daylift.test',
      subject: 'Your trial ends tomorrow – €4.99',
      text: expect.stringContaining('Hello Ann'),
      html: expect.stringContaining('<b>Ann</b>'),
    },
  ]);
  expect(mails[0]!.received_at).toMatch(/^2027-03-01T09:0/);
  expect(await test.get('/sandbox/emails')).toHaveLength(2);
  await test.restart();
  expect(await test.get('/sandbox/emails')).toHaveLength(2);
});
