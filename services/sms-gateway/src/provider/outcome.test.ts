import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeOf, retryDelayMs } from './outcome.ts';
import { nextProbeAt } from './send-pause.ts';

const response = (status: number, code: string | null = null) =>
  outcomeOf({ phase: 'answer', status, code, title: null, retry_after_ms: null }).kind;

describe('a response without a known code', () => {
  it.each([
    [500, null, 'unknown'],
    [502, null, 'unknown'],
    [503, null, 'unknown'],
    [408, null, 'unknown'],
    [504, '99999', 'unknown'],
    [429, null, 'unsent'],
    [401, null, 'account'],
    [404, null, 'account'],
    [422, '99999', 'refused'],
    [418, null, 'refused'],
  ])('%i with code %s: %s', (status, code, kind) => {
    expect(response(status, code)).toBe(kind);
  });
});

describe('a failed call', () => {
  it('is surely not sent without a connection, and unknown without a response', () => {
    expect(outcomeOf({ phase: 'connect', error: 'x' }).kind).toBe('unsent');
    expect(outcomeOf({ phase: 'lost', error: 'x' }).kind).toBe('unknown');
  });

  it('property: a 5xx response never allows a second send unless its code says so', () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 599 }), fc.string(), (status, code) => {
        fc.pre(!/^\d{5}$/.test(code));
        expect(response(status, code)).not.toBe('unsent');
      }),
    );
  });
});

describe('a retry', () => {
  it("backs off exponentially up to a minute, after the provider's retry-after", () => {
    expect(retryDelayMs(0, null, 1)).toBe(1_000);
    expect(retryDelayMs(3, null, 1)).toBe(8_000);
    expect(retryDelayMs(50, null, 1)).toBe(60_000);
    expect(retryDelayMs(3, 5_000, 0)).toBe(5_000);
  });

  it('of a pause backs off up to 15 minutes; a spent budget waits until midnight UTC', () => {
    const now = new Date('2027-03-09T15:00:00Z');
    expect(nextProbeAt('probe', 0, now).toISOString()).toBe('2027-03-09T15:00:30.000Z');
    expect(nextProbeAt('probe', 2, now).toISOString()).toBe('2027-03-09T15:02:00.000Z');
    expect(nextProbeAt('probe', 20, now).toISOString()).toBe('2027-03-09T15:15:00.000Z');
    expect(nextProbeAt('midnight_utc', 0, now).toISOString()).toBe('2027-03-10T00:00:00.000Z');
  });
});
