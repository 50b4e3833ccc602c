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
// Last, because it also checks what the others left behind.
attackByFloodAndTraces();
