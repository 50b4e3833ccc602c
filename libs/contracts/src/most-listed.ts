/** Beyond so many rows nobody turns pages: search and filters go on. `x-total-count` is then one more. */
export const mostListed = 3_000;
