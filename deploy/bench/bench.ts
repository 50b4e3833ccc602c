import type { Figure } from './figure.ts';
import { measureRoadOfTexts } from './road-of-texts.ts';
import { measureSendInstants } from './send-instants.ts';

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
