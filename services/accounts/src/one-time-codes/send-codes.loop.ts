import type { Loop } from '@daylift/server/loops';
import { type CodeDeps, sendCodes } from './send-codes.ts';

/** Separate from the request, so responses take equally long with and without a code. */
export const sendCodesLoop = (deps: CodeDeps): Loop => ({
  name: 'send-codes',
  everyMs: 500,
  run: () => sendCodes(deps),
});
