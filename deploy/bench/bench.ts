import { explainFailure, LauncherError } from '../local/failure.ts';
import { repoRoot } from '../local/layout.ts';
import { readOptions } from '../local/read-options.ts';
import { measureDue } from './due.ts';
import type { Figure } from './figure.ts';
import { measureGateway } from './gateway.ts';
import { measureGrowth } from './growth.ts';
import { measureHour } from './hour.ts';
import { measureIdle } from './idle.ts';
import { measureLimit } from './limit.ts';
import { measureLoginTiming } from './login-timing.ts';
import { measureOperators } from './operators.ts';
import { measurePages } from './pages.ts';
import { measureReceipts } from './receipts.ts';
import { measureSend } from './send.ts';
import { measureSendInstants } from './send-instants.ts';
import { measureStopRace } from './stop-race.ts';
import { measureStrangers } from './strangers.ts';

export interface Sizes {
  texts?: number;
  subscribers?: number;
}

/** `npm run bench` runs all parts; `npm run bench -- send --texts 500` runs one, with a smaller size. */
const parts: Record<string, (sizes: Sizes) => Figure[] | Promise<Figure[]>> = {
  instants: () => [measureSendInstants()],
  send: measureSend,
  due: measureDue,
  receipts: measureReceipts,
  limit: measureLimit,
  hour: measureHour,
  growth: measureGrowth,
  gateway: measureGateway,
  idle: measureIdle,
  pages: measurePages,
  operators: measureOperators,
  logins: measureLoginTiming,
  stops: measureStopRace,
  strangers: measureStrangers,
};

async function measure(): Promise<Figure[]> {
  const { positionals: names, values } = readOptions(
    { texts: { type: 'string' }, subscribers: { type: 'string' } },
    { allowPositionals: true },
  );
  const sizes: Sizes = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, wholeNumber(name, value)]),
  );
  const unknown = names.filter((name) => parts[name] === undefined);
  if (unknown.length > 0)
    throw new LauncherError(
      `Unknown part ${unknown.join(', ')}. Choose from: ${Object.keys(parts).join(', ')}.`,
    );
  const figures: Figure[] = [];
  for (const [name, part] of Object.entries(parts))
    if (names.length === 0 || names.includes(name)) figures.push(...(await part(sizes)));
  return figures;
}

function wholeNumber(name: string, value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new LauncherError(`--${name} must be a positive whole number; it is "${value}".`);
  return number;
}

try {
  const figures = await measure();
  console.table(
    figures.map(({ what, ours, baseline, ratio, better, target = '' }) => ({
      what,
      ours,
      baseline,
      ratio: Number(ratio.toPrecision(3)),
      better,
      target,
    })),
  );
} catch (error) {
  console.error(explainFailure(error, repoRoot));
  process.exitCode = 1;
}
