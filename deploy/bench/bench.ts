import { measureRoadOfTexts } from './road-of-texts.ts';
import { measureSendInstants } from './send-instants.ts';

/** One line of the table: a figure of ours, the baseline of the same run, and their ratio. */
export interface Figure {
  what: string;
  ours: string;
  baseline: string;
  ratio: number;
  /** Which way the ratio gets better. */
  better: 'higher' | 'lower';
}

const figures: Figure[] = [measureSendInstants(), ...(await measureRoadOfTexts())];
console.table(
  figures.map(({ what, ours, baseline, ratio, better }) => ({
    what,
    ours,
    baseline,
    ratio: Number(ratio.toPrecision(3)),
    better,
  })),
);
