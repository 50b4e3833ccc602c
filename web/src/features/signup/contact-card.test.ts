import { expect, test } from 'vitest';
import { contactCard } from './contact-card.ts';

test('the contact card has the name, escaped, and the number', () => {
  const card = contactCard('Day, lift', '+18885550123');
  expect(card).toContain('FN:Day\\, lift\r\nTEL;TYPE=CELL:+18885550123\r\n');
  expect(card).toMatch(/^BEGIN:VCARD\r\nVERSION:3\.0\r\n/);
});
