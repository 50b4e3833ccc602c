import { afterAll, beforeAll } from 'vitest';
import { attackPayments } from './payments.ts';
import { attackSessions } from './sessions.ts';
import { attackBySetPassword } from './set-password.ts';
import { startTarget, stopTarget } from './target.ts';
import { attackByFloodAndTraces } from './traces.ts';

beforeAll(startTarget, 180_000);
afterAll(stopTarget);

attackBySetPassword();
attackPayments();
attackSessions();
// Last: it also looks for what all others left behind.
attackByFloodAndTraces();
