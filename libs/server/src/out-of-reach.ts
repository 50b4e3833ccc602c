/** How the system says that a server is not there, or has left. */
const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** And Postgres itself: connections that end, a server that stops, starts or has no place left. */
const sqlStates = /^(08\w{3}|57P0[123]|53300)$/;
/** What its driver says by itself has no code. */
const driverWords =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect)/;

/** Whether an error says only that a server can't be reached; what it refused or did not understand is no such error. */
export function isOutOfReach(error: { code?: string | undefined; message: string }): boolean {
  const { code, message } = error;
  if (code === undefined) return driverWords.test(message);
  return systemCodes.has(code) || sqlStates.test(code);
}
