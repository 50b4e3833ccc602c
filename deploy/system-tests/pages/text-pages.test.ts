import { describe, test } from 'vitest';
import { expectNoBarriers, expectNoSidewaysScroll, phone, usePages } from './harness.ts';

const pages = usePages();

describe('The pages of words alone', () => {
  test.each([
    ['/privacy', 'Privacy Policy'],
    ['/terms', 'Terms of Service'],
  ])('%s reads well on a phone, without barriers', async (path, title) => {
    const page = await pages.open(path, { viewport: phone });
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
  });
});
