import type { Figure } from './figure.ts';
import { measureLoginTiming } from './login-timing.ts';
import { measureOperators } from './operators.ts';
import { measurePages } from './pages.ts';
import { measureSendInstants } from './send-instants.ts';
import { measureSendPipeline } from './send-pipeline.ts';
import { measureStrangers } from './strangers.ts';

/** `npm run bench` runs all parts; `npm run bench -- pages` runs one. */
const parts: Record<string, () => Figure[] | Promise<Figure[]>> = {
  instants: () => [measureSendInstants()],
  texts: measureSendPipeline,
  pages: measurePages,
  operators: measureOperators,
  logins: measureLoginTiming,
  strangers: measureStrangers,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => parts[name] === undefined);
if (unknown.length > 0)
  throw new Error(
    `Unknown part ${unknown.join(', ')}. Choose from: ${Object.keys(parts).join(', ')}.`,
  );

const figures: Figure[] = [];
for (const [name, measure] of Object.entries(parts))
  if (asked.length === 0 || asked.includes(name)) figures.push(...(await measure()));
console.table(
  figures.map(({ what, ours, baseline, ratio, better }) => ({
    what,
    ours,
    baseline,
    ratio: Number(ratio.toPrecision(3)),
    better,
  })),
);
