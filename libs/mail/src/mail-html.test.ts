import { describe, expect, test } from 'vitest';
import { composeMail } from './compose-mail.ts';
import { brandOf, mailHtml } from './mail-html.ts';

const product = { name: 'Daylift', supportEmail: 'support@daylift.example' };
const html = (text: string) => mailHtml({ subject: 'For Ada', text, brand: 'Daylift' });

describe('a composed mail', () => {
  const { text } = composeMail('Ada Lovelace', product, 'For Ada', [
    'Your trial has started. See https://daylift.example/terms.',
    'Plan: Monthly\nThen: $4.99 per month',
    'Cancel my trial: https://daylift.example/cancel#a&b',
  ]);

  test('greets with the first name only, or with none if it could pass for a message', () => {
    expect(text).toMatch(/^Hello Ada,\n/);
    for (const name of [null, 'Win:now', 'a'.repeat(31)])
      expect(composeMail(name, product, '', []).text).toMatch(/^Hello,\n/);
  });

  test('has links, a table, a button and a footer in its HTML', () => {
    const page = html(text);
    expect(page).toContain(
      'See <a href="https://daylift.example/terms">https://daylift.example/terms</a>.</p>',
    );
    expect(page).toContain('<tr><th>Then</th><td>$4.99 per month</td></tr>');
    expect(page).toContain(
      '<a class="button" href="https://daylift.example/cancel#a&#38;b">Cancel my trial</a>',
    );
    expect(page).toContain('<p class="foot">Daylift<br>Questions?');
  });

  test('loads nothing from anywhere and has dark colors', () => {
    expect(html(text)).not.toMatch(/<img|<script|<link|url\(|@import|src=/i);
    expect(html(text)).toContain('prefers-color-scheme:dark');
  });
});

test("a stranger's words are shown as written, without buttons", () => {
  const page = html(
    'From: Eve <eve@example.com>\nSubject: x\n\nReset it: https://evil.example/<b>',
  );
  expect(page).toContain('From: Eve &#60;eve@example.com&#62;<br>Subject: x');
  expect(page).not.toContain('class="button"');
  expect(page).not.toContain('<b>');
});

test.each([
  ['Daylift <hello@daylift.example>', 'Daylift'],
  ['"Day, lift" <hello@daylift.example>', 'Day, lift'],
  ['hello@daylift.example', ''],
])('the brand of %s is %j', (from, brand) => expect(brandOf(from)).toBe(brand));
