import pg from 'pg';

/** Statements that ran this often are prepared; rarer ones aren't worth the server's memory. */
const runsUnprepared = 2;
/** Bounds session memory, because the text of some statements varies with the number of rows or the months. */
const mostStatements = 400;

const isPlanned = /^\s*(?:select|insert|update|delete|with)\b/i;
/** `select *` isn't prepared: when a migration adds a column, Postgres rejects the old plan. */
const hasAllColumns = /(?:\bselect|\breturning|,)\s+\*|\.\*/i;

interface Statement {
  name: string | undefined;
  runs: number;
}
const statements = new Map<string, Statement>();

const canPrepare = (text: string) =>
  isPlanned.test(text) && !hasAllColumns.test(text) && !text.includes(';');

function nameOf(text: string): string | undefined {
  let statement = statements.get(text);
  if (statement === undefined) {
    if (statements.size >= mostStatements) return undefined;
    statement = { name: canPrepare(text) ? `s${statements.size}` : undefined, runs: 0 };
    statements.set(text, statement);
  }
  statement.runs += 1;
  return statement.runs > runsUnprepared ? statement.name : undefined;
}

/**
 * Prepares repeated statements once per session. Planning a statement on a partitioned table with many indexes takes
 * several times as long as running it.
 */
export class PreparingClient extends pg.Client {
  override query = (...args: unknown[]): never => {
    const [text, values] = args;
    const name =
      typeof text === 'string' && args.length === 2 && Array.isArray(values) && nameOf(text);
    const query = super.query as (...args: unknown[]) => never;
    return name ? query.call(this, { name, text, values }) : query.apply(this, args);
  };
}
