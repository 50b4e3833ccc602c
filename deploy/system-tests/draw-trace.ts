import type { CollectedSpan } from '@daylift/testing/trace-collector';

interface Row {
  span: CollectedSpan;
  depth: number;
}

const [width, left, right, top, rowHeight, foot] = [1_120, 430, 90, 64, 24, 40];
const colours: Record<string, string> = {
  scheduler: '#7048e8',
  'sms-gateway': '#1c7ed6',
  'sms-worker': '#e8590c',
  accounts: '#2f9e44',
  billing: '#c2255c',
  content: '#0c8599',
};

/** Draws a trace as an SVG waterfall: spans below their parents, by start time. */
export function drawTrace(title: string, spans: CollectedSpan[]): string {
  const rows = rowsBelow(null, spans, 0);
  const begin = Math.min(...spans.map(({ started_ms }) => started_ms));
  const length = Math.max(...spans.map(({ ended_ms }) => ended_ms)) - begin;
  const height = top + rows.length * rowHeight + foot;
  const x = (ms: number) => left + (ms / length) * (width - left - right);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="16" y="26" font-size="16" font-weight="600" fill="#212529">${escaped(title)}</text>`,
    ...legend([...new Set(rows.map(({ span }) => span.service))]),
    ...ticks(length).flatMap((ms) => [
      `<line x1="${fixed(x(ms))}" x2="${fixed(x(ms))}" y1="${top - 4}" y2="${height - 30}" stroke="#e9ecef"/>`,
      `<text x="${fixed(x(ms))}" y="${height - 12}" text-anchor="middle" fill="#868e96">${ms} ms</text>`,
    ]),
    ...rows.flatMap((row, index) => bar(row, top + index * rowHeight, (ms) => x(ms - begin))),
    '</svg>\n',
  ].join('\n');
}

const rowsBelow = (parent: string | null, spans: CollectedSpan[], depth: number): Row[] =>
  spans
    .filter(({ parent_id }) => parent_id === parent)
    .toSorted((a, b) => a.started_ms - b.started_ms)
    .flatMap((span) => [{ span, depth }, ...rowsBelow(span.span_id, spans, depth + 1)]);

const legend = (services: string[]): string[] =>
  services.flatMap((service, index) => [
    `<rect x="${16 + index * 130}" y="38" width="12" height="12" fill="${colourOf(service)}"/>`,
    `<text x="${34 + index * 130}" y="49" fill="#495057">${escaped(service)}</text>`,
  ]);

function ticks(length: number): number[] {
  const step = [50, 100, 200, 500, 1_000, 2_000, 5_000].find((ms) => length / ms <= 8) ?? length;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}

function bar({ span, depth }: Row, y: number, x: (ms: number) => number): string[] {
  const ms = span.ended_ms - span.started_ms;
  const [from, to] = [x(span.started_ms), x(span.ended_ms)];
  const receipt = span.attributes['daylift.receipt'];
  const name = receipt === undefined ? span.name : `${span.name}: ${receipt}`;
  return [
    `<text x="${16 + depth * 12}" y="${y + 15}" fill="#212529">${escaped(name)}</text>`,
    `<rect x="${fixed(from)}" y="${y + 4}" width="${fixed(Math.max(2, to - from))}" height="14" rx="2" fill="${colourOf(span.service)}"/>`,
    `<text x="${fixed(Math.max(from + 2, to) + 6)}" y="${y + 15}" fill="#495057">${ms < 10 ? fixed(ms) : Math.round(ms)} ms</text>`,
  ];
}

const colourOf = (service: string): string => colours[service] ?? '#868e96';
const fixed = (value: number): string => value.toFixed(1);
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
