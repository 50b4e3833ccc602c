const signupLifetimeMs = 24 * 60 * 60 * 1000;

/** Returns when a signup of this moment expires unless it is paid or proven. */
export const signupEnd = (now: Date): Date => new Date(now.getTime() + signupLifetimeMs);
