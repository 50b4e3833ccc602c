import type { Faults, FinalStatus } from '../faults.ts';
import { isFailureCode, isRefusalCode } from './telnyx-errors.ts';

/** Outcome of a text to a given number; absent fields mean normal processing. */
export interface Fate {
  /** The code of an immediate rejection. */
  refuse?: {
    code: string;
    status?: number | undefined;
    title?: string | undefined;
    retryAfter?: number | undefined;
  };
  /** Final status of an accepted text. */
  final?: { status: FinalStatus; code: string | null };
  /** `none`: no receipt is sent. `sent`: only the first of the two is. */
  receipts?: 'none' | 'sent';
  /** What happens to the response to the send. */
  answer?: 'drop' | 'error_before' | 'error_after';
}

const special: Record<string, Fate> = {
  '3000001': { final: { status: 'delivery_unconfirmed', code: null } },
  '3000002': { final: { status: 'sending_failed', code: '40008' } },
  '3000003': { receipts: 'none' },
  '3000004': { receipts: 'sent' },
  '3000005': { answer: 'drop' },
  '3000006': { answer: 'error_after' },
  '3000007': { answer: 'error_before' },
};

/** Reads the last seven digits: 20 + code is rejected, 30 + code fails later. The README has the table. */
export function fateByNumber(to: string): Fate {
  const digits = to.slice(-7);
  const found = special[digits];
  if (found !== undefined) return found;
  const code = digits.slice(2);
  if (digits.startsWith('20') && isRefusalCode(code)) return { refuse: { code } };
  if (digits.startsWith('30') && isFailureCode(code)) return { final: failedWith(code) };
  return {};
}

/** Returns the fate from the recipient's dial, counting down its `times`, or else from the number. */
export function fateOf(to: string, faults: Faults): Fate {
  const { current } = faults;
  const dial = current.recipients[to];
  if (dial === undefined) return fateByNumber(to);
  if (dial.times !== undefined) {
    const { [to]: _, ...others } = current.recipients;
    const left = dial.times - 1;
    const recipients = left > 0 ? { ...others, [to]: { ...dial, times: left } } : others;
    faults.change({ ...current, recipients });
  }
  const code = dial.code ?? null;
  if (dial.final !== undefined) return { final: { status: dial.final, code } };
  const { status, title, retry_after: retryAfter } = dial;
  return { refuse: { code: code ?? '40310', status, title, retryAfter } };
}

export function failedWith(code: string): { status: FinalStatus; code: string } {
  return { status: code === '40005' || code === '40014' ? 'expired' : 'delivery_failed', code };
}
