/** One line of the table: a figure of ours, the baseline of the same run, and their ratio. */
export interface Figure {
  what: string;
  ours: string;
  baseline: string;
  ratio: number;
  /** Which way the ratio gets better. */
  better: 'higher' | 'lower';
}
