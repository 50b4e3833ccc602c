import { withDueStack } from './due-stack.ts';
import type { Figure } from './figure.ts';
import { percentile } from './http-load.ts';

const PER_SECOND = 100;

/** Measures how late the texts of a full hour leave at the rate limit, compared with a perfect use of the limit. */
export function measureHour({ texts = 85_000 }: { texts?: number }): Promise<Figure[]> {
  const env = { SMS_RATE_PER_SECOND: String(PER_SECOND) };
  return withDueStack({ texts, env }, async (due) => {
    const releasedAt = await due.release();
    await due.untilSent();
    const late = due.standIn.arrivals.map((at) => (at - releasedAt) / 1_000);
    return [
      ['median', 0.5],
      ['99th percentile', 0.99],
      ['last', 1],
    ].map(([name, share]) => {
      const measured = percentile(late, Number(share));
      const baseline = (due.due * Number(share)) / PER_SECOND;
      return {
        what: `lateness of ${due.due} texts at ${PER_SECOND}/s, ${name} (baseline: the limit used in full)`,
        ours: `${measured.toFixed(1)} s`,
        baseline: `${baseline.toFixed(1)} s`,
        ratio: measured / baseline,
        better: 'lower' as const,
      };
    });
  });
}
