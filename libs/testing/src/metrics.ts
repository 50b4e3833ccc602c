import type { Server } from '@daylift/server/create-server';
import { createOpsServer } from '@daylift/server/ops-server';

export type Figures = (name: string, labels?: Record<string, string>) => number | undefined;

export async function readMetrics(app: Server): Promise<Figures> {
  const { body } = await createOpsServer(app).inject({ url: '/metrics' });
  return figuresOf(body);
}

/** Reads a metric by name and a subset of its labels. */
export function figuresOf(text: string): Figures {
  const lines = text.split('\n');
  return (name, labels = {}) => {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const line = lines.find(
      (one) => one.split(/[{ ]/)[0] === name && wanted.every((part) => one.includes(part)),
    );
    const value = line?.split(' ').at(-1);
    if (value === undefined) return undefined;
    return value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
  };
}
