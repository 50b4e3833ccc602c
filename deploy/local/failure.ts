/** An error whose message is printed without a stack. */
export class LauncherError extends Error {}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const pathOf = (error: unknown, fallback: string): string =>
  error instanceof Error && 'path' in error ? String(error.path) : fallback;

/** Returns a message for any failure of the launcher: what is wrong and what to do. */
export function explainFailure(error: unknown, dataDir: string): string {
  if (error instanceof LauncherError) return error.message;
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return `The disk is full (${pathOf(error, dataDir)}). Free some space and start again: no data is lost.`;
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return `${pathOf(error, dataDir)} cannot be created because a file is in its place. Choose another folder: DATA_DIR=/some/folder npm start`;
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `${pathOf(error, dataDir)} cannot be written by this user. Start as the owner of the folder, or choose another one: DATA_DIR=/some/folder npm start`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
