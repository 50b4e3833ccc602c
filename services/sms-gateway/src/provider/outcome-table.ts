import { numberErrors } from '@daylift/delivery/lost-days';

/** `sync`: the response to a send. `async`: the receipt or lookup of a text that the provider had accepted. */
export type Phase = 'sync' | 'async';

export type Action = keyof typeof actions;

/** What is done about a code, in words for operators, and whether they are alerted. */
export const actions = {
  retry: {
    words: 'Not sent. Retried within its window.',
    alerts: false,
  },
  retry_all_later: {
    words: 'Not sent. All sending waits as long as the provider asks, then the text is retried.',
    alerts: false,
  },
  slow_sender: {
    words:
      'The sender’s rate is halved for 15 minutes, and halved again if the errors continue, at most once a minute. The text is retried within its window.',
    alerts: false,
  },
  next_carrier_day: {
    words: 'Held until midnight Pacific time, or missed if its window closes first.',
    alerts: false,
  },
  opt_out: {
    words: 'The number is opted out. Never retried, and not counted as a failure.',
    alerts: false,
  },
  fail: { words: 'The text fails. Nothing more is sent for that day.', alerts: false },
  landline: {
    words: "The text fails. The subscriber's texts pause until they confirm a number.",
    alerts: false,
  },
  number_failed: {
    words:
      "The text fails. After three such failures in a row, on different days, the subscriber's texts pause until they confirm a number.",
    alerts: false,
  },
  stop_batch: {
    words: 'The text fails. The rest of its batch is held until an operator resumes it.',
    alerts: true,
  },
  cool_down_batch: {
    words: 'The text fails. The rest of its batch is held for 15 minutes.',
    alerts: true,
  },
  pause: {
    words:
      "All sending pauses. One text is retried periodically or on an operator's request. Texts already accepted fail.",
    // The pause has its own alert.
    alerts: false,
  },
  pause_until_utc_midnight: {
    words: 'All sending pauses until midnight UTC. Texts already accepted fail.',
    alerts: false,
  },
  our_bug: {
    words:
      'Our request was invalid. The text becomes a failed event; if already accepted, it fails.',
    alerts: true,
  },
  look_up: {
    words: 'May have been sent. Checked with the provider, and retried only with the same key.',
    alerts: false,
  },
} as const;

export interface Rule {
  code: string;
  /** Missing if the code means the same in both. */
  phase?: Phase;
  /** The rule applies to errors with such a title only. */
  title?: RegExp;
  action: Action;
}

const rules = (action: Action, ...codes: string[]): Rule[] =>
  codes.map((code) => ({ code, action }));

/** Every error code of the provider with its action. The first rule that fits applies. */
export const outcomeTable: readonly Rule[] = [
  // Telnyx uses the code for other blocks as well.
  { code: '40300', phase: 'sync', title: /blocked due to stop/i, action: 'opt_out' },
  ...rules('retry', '40014', '40318', '40320'),
  ...rules('retry_all_later', '10011'),
  ...rules('slow_sender', '40011', '40018'),
  ...rules('next_carrier_day', '40016'),
  ...rules('landline', '40001'),
  ...rules('number_failed', ...numberErrors.filter((code) => code !== '40001'), '40008'),
  // The carrier failed, or the phone can't be reached for now.
  ...rules('fail', '40004', '40005', '40006', '40009', '40300'),
  ...rules('stop_batch', '40003', '40015', '40017', '40322'),
  ...rules('cool_down_batch', '40002'),
  ...rules('pause', '10001', '10009', '10010', '20002', '20012', '20013', '20100', '40010'),
  ...rules('pause', '40305', '40306', '40307', '40312', '40314', '40315', '40321', '40325'),
  ...rules('pause', '40329', '40331'),
  ...rules('pause_until_utc_midnight', '40333'),
  // Pausing everything for one country that isn't enabled would stop the service for all others.
  ...rules('our_bug', '40309'),
  ...rules('our_bug', '10004', '10015', '40302', '40304', '40316', '40328'),
  { code: '10007', phase: 'sync', action: 'look_up' },
  { code: '10007', phase: 'async', action: 'fail' },
];

/** An error with the action taken. */
export interface ClassifiedError {
  phase: Phase;
  code: string;
  action: Action;
  /** The table has no rule for it. */
  is_unknown: boolean;
}

/** Returns the table's rule for an error, or null. */
export function findRule(phase: Phase, code: string, title: string | null): Rule | null {
  const rule = outcomeTable.find(
    (one) =>
      one.code === code &&
      (one.phase ?? phase) === phase &&
      (one.title === undefined || one.title.test(title ?? '')),
  );
  return rule ?? null;
}

/** Classifies the error of a text that the provider had accepted. The safe action for an unknown code is to fail. */
export function classifyFinalError(code: string): ClassifiedError {
  const rule = findRule('async', code, null);
  return { phase: 'async', code, action: rule?.action ?? 'fail', is_unknown: rule === null };
}
