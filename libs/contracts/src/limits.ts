/** Lists end here; search and filters narrow them. `x-total-count` is then one more. */
export const maxListed = 3_000;

/** Live counts stop here to stay fast. */
export const countLimit = 100_000;
