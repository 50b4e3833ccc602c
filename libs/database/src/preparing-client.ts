import pg from 'pg';

/** Statements that ran this often are prepared; rarer ones aren't worth the server's memory. */
const runsUnprepared = 2;
/** The text of some statements varies with the number of rows or the months, so the least recently used are forgotten. */
const maxStatements = 400;

const isPlanned = /^\s*(?:select|insert|update|delete|with)\b/i;
/** `select *` isn't prepared: when a migration adds a column, Postgres rejects the old plan. */
const hasAllColumns = /(?:\bselect|\breturning|,)\s+\*|\.\*/i;

interface Statement {
  name: string | undefined;
  runs: number;
}
/** Least recently used first. */
const statements = new Map<string, Statement>();
let named = 0;

const canPrepare = (text: string) =>
  isPlanned.test(text) && !hasAllColumns.test(text) && !text.includes(';');

function nameOf(text: string): string | undefined {
  let statement = statements.get(text);
  if (statement === undefined) {
    // Never the name of a forgotten one, which sessions may still have.
    statement = { name: canPrepare(text) ? `s${named++}` : undefined, runs: 0 };
    if (statements.size >= maxStatements) statements.delete(statements.keys().next().value!);
  }
  statements.delete(text);
  statements.set(text, statement);
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
