import { afterAll, beforeAll } from 'vitest';
import { startTarget, stopTarget } from './target.ts';
// First, because they compare with all codes and all revenue.
import './set-password.ts';
import './operator-figures.ts';
import './identity.ts';
import './money.ts';
import './payments.ts';
import './sessions.ts';
// Last, because they also check what the others left behind.
import './traces.ts';

beforeAll(startTarget, 180_000);
afterAll(stopTarget);
