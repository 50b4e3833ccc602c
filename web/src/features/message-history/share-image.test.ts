import { expect, test } from 'vitest';
import { wrapLines } from './share-image.ts';

test('wraps words to the width, keeps line breaks, and gives a long word its own line', () => {
  const wrap = (text: string) => wrapLines(text, 10, (line) => line.length);
  expect(wrap('one small step is plenty')).toEqual(['one small', 'step is', 'plenty']);
  expect(wrap('one\ntwo')).toEqual(['one', 'two']);
  expect(wrap('an extraordinarily long word')).toEqual(['an', 'extraordinarily', 'long word']);
});
