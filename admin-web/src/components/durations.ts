/** `45 seconds`, `about 3 minutes`, `about 2 hours`. */
export const inTime = (seconds: number): string => {
  if (seconds < 90) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} minutes` : `about ${Math.round(minutes / 60)} hours`;
};

/** Longer than a menu or dialog takes to return focus to its button. */
export const menuReturnMs = 50;
