import { expect, test } from 'vitest';
import { maskPayload } from './mask-payload.ts';

test('a masked payload shows only ids, times and constants', () => {
  const shown = maskPayload({
    id: '0b9c1f6e-2f63-4a1c-9d0e-8a4f1c2d3e4f',
    type: 'accounts.recipient.changed',
    occurred_at: '2027-03-09T15:00:00.000Z',
    data: {
      user_id: '0b9c1f6e-2f63-4a1c-9d0e-8a4f1c2d3e4f',
      version: 3,
      phone: '+14155550170',
      first_name: 'ada',
      timezone: 'America/New_York',
      consent: 'granted',
      paused_until: null,
      local_date: '2027-03-09',
      is_active: true,
      note: 'Call me at +14155550170',
      dispatches: [{ dispatch_id: '20270309-0b9c1f6e2f634a1c9d0e8a4f1c2d3e4f', content: 'hello' }],
    },
  });
  expect(shown).toEqual({
    id: '0b9c1f6e-2f63-4a1c-9d0e-8a4f1c2d3e4f',
    type: 'accounts.recipient.changed',
    occurred_at: '2027-03-09T15:00:00.000Z',
    data: {
      user_id: '0b9c1f6e-2f63-4a1c-9d0e-8a4f1c2d3e4f',
      version: 3,
      phone: '•••',
      first_name: '•••',
      timezone: 'America/New_York',
      consent: 'granted',
      paused_until: null,
      local_date: '2027-03-09',
      is_active: true,
      note: '•••',
      dispatches: [{ dispatch_id: '20270309-0b9c1f6e2f634a1c9d0e8a4f1c2d3e4f', content: '•••' }],
    },
  });
});
