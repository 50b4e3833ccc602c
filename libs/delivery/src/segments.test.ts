import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countSegments, inPlainCharacters } from './segments.ts';

describe('segments', () => {
  test.each([
    ['nothing', '', 'GSM-7', 0, 0],
    ['one part to the brim', 'a'.repeat(160), 'GSM-7', 160, 1],
    ['one letter more', 'a'.repeat(161), 'GSM-7', 161, 2],
    ['two parts to the brim', 'a'.repeat(306), 'GSM-7', 306, 2],
    ['three parts', 'a'.repeat(307), 'GSM-7', 307, 3],
    ['escaped letters, two septets each', '€'.repeat(80), 'GSM-7', 160, 1],
    ['an escape that would be torn', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 306, 3],
    [
      'accents within the alphabet',
      'è une très belle journée à Ñandú Å'.replace('ú', 'ù'),
      'GSM-7',
      34,
      1,
    ],
    ['a backtick, which the provider lacks', '`', 'UCS-2', 1, 1],
    ['a capital C with cedilla', 'Ç', 'UCS-2', 1, 1],
    ['a Greek capital', 'Δ', 'UCS-2', 1, 1],
    ['70 units of UCS-2', 'ж'.repeat(70), 'UCS-2', 70, 1],
    ['71 units of UCS-2', 'ж'.repeat(71), 'UCS-2', 71, 2],
    ['an emoji, two units', '😀'.repeat(35), 'UCS-2', 70, 1],
    ['emoji that would be torn', '😀'.repeat(67), 'UCS-2', 134, 3],
    ['a curly apostrophe', 'It’s', 'UCS-2', 4, 1],
  ])('%s', (_what, text, encoding, units, parts) => {
    expect(countSegments(text)).toEqual({ encoding, units, parts });
  });

  test('are never fewer than needed, and lose at most one unit per part to pairs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1600 }), (text) => {
        const { encoding, units, parts } = countSegments(text);
        const [single, multiple] = encoding === 'GSM-7' ? [160, 153] : [70, 67];
        if (units <= single) expect(parts).toBe(units === 0 ? 0 : 1);
        else {
          expect(parts).toBeGreaterThanOrEqual(Math.ceil(units / multiple));
          expect(parts).toBeLessThanOrEqual(Math.ceil(units / (multiple - 1)));
        }
      }),
    );
  });
});

describe('plain characters', () => {
  test.each([
    ['curly quotes, dashes and ellipses', '“It’s time” – go…', '"It\'s time" - go...'],
    ['spaces that look like others', 'a\u00a0b\u2009c\u200bd', 'a b cd'],
    [
      'accents that the provider lacks',
      'naïve façade, Ça va, à côté',
      'naive facade, Ca va, à coté',
    ],
    [
      'a text that is plain already',
      'Good morning, {{first_name}}!',
      'Good morning, {{first_name}}!',
    ],
  ])('replace %s', (_what, text, plain) => {
    expect(inPlainCharacters(text)).toBe(plain);
    expect(countSegments(plain).encoding).toBe('GSM-7');
  });

  test.each(['Go 😀', 'Доброе утро', '今日'])('have no form of %s', (text) => {
    expect(inPlainCharacters(text)).toBeNull();
  });
});
