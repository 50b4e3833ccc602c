import { Counter, Histogram } from '@daylift/server/metrics';
import { isProven, type TextState } from './text-states.ts';
import type { TextKind } from './texts.table.ts';

/** A committed change of state. */
export interface Move {
  text: { kind: TextKind; is_test: boolean };
  from: TextState;
  to: TextState;
}

/** Every kind is listed, so an unused counter reads 0 instead of being absent. */
const kinds: Record<TextKind, true> = {
  daily: true,
  announcement: true,
  welcome: true,
  consent_request: true,
  help: true,
  confirmation: true,
  stop_confirmation: true,
  crisis_line: true,
  one_time_code: true,
  answer: true,
  test: true,
};

function counter(name: string, help: string): Counter<'kind'> {
  const counts = new Counter({ name, help, labelNames: ['kind'] });
  for (const kind of Object.keys(kinds)) counts.labels(kind).inc(0);
  return counts;
}

const counts = {
  sent: counter('sms_texts_sent_total', 'Texts accepted by the provider'),
  delivered: counter('sms_texts_delivered_total', 'Texts delivered to a phone'),
  failed: counter('sms_texts_failed_total', 'Texts rejected by the provider or a carrier'),
  missed: counter('sms_texts_missed_total', 'Texts that expired before they could be sent'),
  skipped: counter(
    'sms_texts_skipped_total',
    'Texts not sent because the subscriber was not eligible or staff skipped them',
  ),
  unknown: counter('sms_texts_unknown_total', 'Texts with an unknown outcome'),
};

const lateness = new Histogram({
  name: 'sms_text_lateness_seconds',
  help: 'Time from due to accepted by the provider',
  labelNames: ['kind'],
  buckets: [1, 5, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 10_800],
});
const cost = new Counter({
  name: 'sms_cost_dollars_total',
  help: 'Cost of texts from receipts',
});

/** Counts a change of state after its commit. Texts to the test number don't count. */
export function countMove({ text, from, to }: Move): void {
  if (text.is_test || from === to) return;
  if (isProven(to) && !isProven(from)) counts.sent.labels(text.kind).inc();
  const count = { ...counts, refused: counts.failed, superseded: counts.skipped }[
    to as keyof typeof counts | 'refused' | 'superseded'
  ];
  if (to !== 'sent') count?.labels(text.kind).inc();
}

export function observeLateness(
  text: { kind: TextKind; is_test: boolean; due_at: Date | null },
  acceptedAt: Date,
): void {
  if (text.due_at === null || text.is_test) return;
  const seconds = (acceptedAt.getTime() - text.due_at.getTime()) / 1_000;
  lateness.labels(text.kind).observe(Math.max(0, seconds));
}

export function addCost(dollars: number): void {
  if (dollars > 0) cost.inc(dollars);
}
