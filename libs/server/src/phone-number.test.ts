import { describe, expect, it } from 'vitest';
import { countryOf, createReadPhone } from './phone-number.ts';

const readPhone = createReadPhone(['US', 'CA', 'GB']);
const codeOf = (number: string): string => {
  try {
    return readPhone(number);
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('A phone number', () => {
  it.each([
    ['(312) 555-0123', '+13125550123'],
    ['0044 7400 123456', '+447400123456'],
    ['+1 416 555 0123', '+14165550123'],
    ['+1 530 555 0123', '+15305550123'],
  ])('%s is parsed as %s', (typed, number) => expect(readPhone(typed)).toBe(number));

  it.each([
    ['UK personal', '+447012345678'],
    ['UK personal without a known range', '+447099999999'],
    ['UK pager', '+447640123456'],
    ['UK shared cost', '+448431234567'],
    ['UK premium', '+449061234567'],
    ['UK company', '+443301234567'],
    ['UK toll-free', '+448081570000'],
    ['US toll-free', '+18005550123'],
    ['US premium', '+19005550123'],
    ['US personal', '+15005550006'],
    ['satellite', '+881612345678'],
    ['satellite', '+88213300000'],
    ['satellite', '+883510012345'],
    ['satellite', '+870773110012'],
    ['international premium', '+979123456789'],
    ['German personal', '+497001234567'],
    ['Australian satellite', '+61147123456'],
    ['Chinese satellite', '+8613491234567'],
    ['US carrier services', '+17005551234'],
    ['Canadian non-geographic', '+16005551234'],
    ['Japanese machine', '+8120012345678'],
    ['short', '+112'],
  ])('of type %s is rejected: %s', (_kind, number) => expect(codeOf(number)).toBe('INVALID_PHONE'));

  it.each(['+18765550123', '+18760000000', '+12425550123', '+447911123456', '+33612345678'])(
    'of an unsupported country is rejected, also with a shared calling code: %s',
    (number) => expect(codeOf(number)).toBe('COUNTRY_NOT_SERVED'),
  );

  it('has a country', () => {
    expect(countryOf('+13125550123')).toBe('US');
    expect(countryOf('+447700900123')).toBe('+44');
  });
});
