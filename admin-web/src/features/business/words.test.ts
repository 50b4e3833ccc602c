import type { Business } from '@daylift/contracts/business.http';
import { describe, expect, it } from 'vitest';
import { changeInWords, inWords, retentionInWords, toCsv } from './words.ts';

describe('a figure', () => {
  it.each([
    [12_345, 'cents', '$123.45'],
    [1_234, 'count', '1,234'],
    [12.5, 'percent', '12.5%'],
    [null, 'percent', '–'],
  ] as const)('%s as %s is %s', (value, unit, words) => {
    expect(inWords(value, unit, 'usd')).toBe(words);
  });

  it.each([
    [150, 100, 'cents', '+50%'],
    [50, 100, 'count', '-50%'],
    [100, 100, 'count', 'No change'],
    [5, 0, 'count', 'New'],
    [12.5, 10, 'percent', '+2.5 points'],
    [null, 10, 'percent', '–'],
    [-50, -100, 'cents', '+50%'],
  ] as const)('%s after %s (%s) changed by %s', (value, previous, unit, words) => {
    expect(changeInWords({ value, previous, unit })).toBe(words);
  });
});

it('the CSV has exact amounts, and no cell that a spreadsheet takes for a formula', () => {
  const business: Business = {
    from: '2027-03-01',
    to: '2027-03-31',
    previous: { from: '2027-01-29', to: '2027-02-28' },
    currency: 'usd',
    currencies: ['usd'],
    as_of: '2027-04-01T00:00:00Z',
    figures: [
      {
        ...{ id: 'revenue', group: 'Revenue', name: 'Revenue, "net"', unit: 'cents' },
        ...{ definition: '', value: -5, previous: null },
      },
    ],
    by_country: [
      {
        ...{ country: '+881', paying: 0, revenue_cents: 0, texts: 1, text_cost_cents: 50 },
        ...{ cost_per_paying_cents: null, margin_percent: null },
      },
    ],
    cohorts: [{ month: '2027-03', signups: 2, paid: 1, paying: [null, 1] }],
  };
  expect(toCsv(business).split('\r\n')).toEqual([
    'figure,unit,2027-03-01 to 2027-03-31,2027-01-29 to 2027-02-28',
    '"Revenue, ""net""",usd,-0.05,',
    '',
    'country,paying,revenue,texts,text_cost,text_cost_per_paying,margin_percent',
    "'+881,0,0.00,1,0.50,,",
    '',
    'signup_month,signups,paid,paying_month_0,paying_month_1',
    '2027-03,2,1,,1',
    '',
  ]);
});

it.each([
  ['in trials at the end of the month', 2, [null, 2, 1], ['–', '100%', '50%', '']],
  ['who left in the month of their payment and came back', 1, [0, 1], ['0%', '100%', '']],
  ['who left in the month of their payment', 1, [0, 0], ['0%', '0%', '']],
  ['who never paid', 0, [null, null], ['–', '–', '']],
])('retention of signups %s', (_, paid, paying, words) => {
  expect(words.map((_word, month) => retentionInWords({ paid, paying }, month))).toEqual(words);
});
