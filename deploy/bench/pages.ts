import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { distOf } from '../local/builds.ts';
import { chooseFreePorts } from '../local/ports.ts';
import { installOnDemand } from '../on-demand/install.ts';
import { launchBrowser } from '../system-tests/browser/launch-browser.ts';
import { startTestStack } from '../system-tests/stack-for-test.ts';
import type { Figure } from './figure.ts';
import { runLighthouse } from './lighthouse.ts';

const pages = ['/', '/signup', '/login'];
const runs = 3;
const wanted = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };
const widestShift = 0.02;
const heaviestScript = 90 * 1024;

type Category = keyof typeof wanted;
const categories = Object.keys(wanted) as Category[];

interface PageRun {
  scores: Record<Category, number>;
  shift: number;
  /** Largest paint and blocking time, to explain a score. */
  times: string;
}

/** Measures the public pages with Lighthouse on a mid-range phone, and the size of the landing page's script. */
export async function measurePages(): Promise<Figure[]> {
  const lighthouse = installOnDemand('lighthouse');
  const { product, stop } = await startTestStack();
  const [port = 0] = await chooseFreePorts(1);
  const browser = await launchBrowser([`--remote-debugging-port=${port}`]);
  try {
    const figures = [weighScript()];
    for (const path of pages) {
      const url = `${product.urls.gateway}${path}`;
      // The first request renders the page; later ones are cached.
      await fetch(url, { headers: { accept: 'text/html' } });
      const results: PageRun[] = [];
      for (let run = 0; run < runs; run += 1) results.push(await runPage(lighthouse, url, port));
      figures.push(...describeResults(path, results));
    }
    return figures;
  } finally {
    await browser.close();
    await stop();
  }
}

async function runPage(lighthouse: string, url: string, port: number): Promise<PageRun> {
  const { categories: seen, audits } = await runLighthouse(lighthouse, url, port, categories);
  const shown = (id: string): string => audits[id]?.displayValue ?? 'unknown';
  return {
    scores: Object.fromEntries(
      categories.map((name) => [name, Math.round((seen[name]?.score ?? 0) * 100)]),
    ) as PageRun['scores'],
    shift: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    times: `${shown('largest-contentful-paint')} largest paint, ${shown('total-blocking-time')} blocked`,
  };
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function describeResults(path: string, results: PageRun[]): Figure[] {
  const figures = categories.map((name): Figure => {
    const measured = median(results.map(({ scores }) => scores[name]));
    const times =
      name === 'performance' ? ` (${results.map((result) => result.times).at(-1)})` : '';
    return {
      what: `Lighthouse ${name} of ${path}, phone, median of ${runs}${times}`,
      ours: String(measured),
      baseline: String(wanted[name]),
      ratio: measured / wanted[name],
      better: 'higher',
    };
  });
  const shift = median(results.map((result) => result.shift));
  figures.push({
    what: `layout shift of ${path}`,
    ours: shift.toFixed(3),
    baseline: String(widestShift),
    ratio: shift / widestShift,
    better: 'lower',
  });
  return figures;
}

/** Returns the compressed size of the landing page's script with its imports, from the build manifest. */
function weighScript(): Figure {
  const dist = distOf('web');
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Record<
    string,
    { file: string; imports?: string[] }
  >;
  const files = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const one of chunk.imports ?? []) visit(one);
  };
  visit('index.html');
  visit('src/before-paint.ts');
  const bytes = [...files]
    .map((file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length)
    .reduce((all, one) => all + one, 0);
  const scripts = readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.js')).length;
  return {
    what: `KB gzip of the landing page's script, ${files.size} of ${scripts} files`,
    ours: (bytes / 1024).toFixed(1),
    baseline: (heaviestScript / 1024).toFixed(1),
    ratio: bytes / heaviestScript,
    better: 'lower',
  };
}
