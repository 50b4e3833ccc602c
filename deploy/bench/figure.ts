/** One row of the report: our value, the baseline from the same run, and their ratio. */
export interface Figure {
  what: string;
  ours: string;
  baseline: string;
  ratio: number;
  better: 'higher' | 'lower';
  /** What `ours` or the ratio should reach. */
  target?: string;
}
