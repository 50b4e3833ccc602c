import type { FastifyInstance } from 'fastify';

export type Figures = (name: string, labels?: Record<string, string>) => number | undefined;

/** What a process shows at /metrics. */
export async function readMetrics(app: Pick<FastifyInstance, 'inject'>): Promise<Figures> {
  const { body } = await app.inject({ url: '/metrics' });
  return figuresOf(body);
}

/** The value of a name with these labels, among whatever others; undefined: there is none. */
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
