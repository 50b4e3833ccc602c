/** Even gaps between labels, as many as fit. */
export const evenLabels = { interval: 'equidistantPreserveStart', minTickGap: 12 } as const;

/** Returns whole, even ticks from 0 to at least the largest count. */
export const countTicks = (largest: number): number[] => {
  const minStep = Math.max(1, largest / 4);
  const power = 10 ** Math.floor(Math.log10(minStep));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= minStep) ?? minStep;
  const steps = Math.max(1, Math.ceil(largest / step));
  return Array.from({ length: steps + 1 }, (_, place) => place * step);
};

/** Returns even ticks up to 100 that show differences between high rates. */
export const rateTicks = (rates: (number | null)[]): number[] => {
  const lowest = Math.min(100, ...rates.filter((rate) => rate !== null));
  const [first, step] = (
    [
      [90, 2],
      [80, 5],
      [50, 10],
    ] as const
  ).find(([from]) => lowest >= from) ?? [0, 20];
  return Array.from({ length: (100 - first) / step + 1 }, (_, place) => first + place * step);
};

/** Share of the axis that a bar has at least; about 3 pixels. */
const minBar = 0.02;

/** Returns the height to draw for a count: one that isn't 0 stays visible beside large ones. */
export const barHeight = (count: number, top: number): number =>
  count === 0 ? 0 : Math.max(count, top * minBar);
