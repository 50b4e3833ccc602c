import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { databaseName } from '../../local/databases.ts';
import type { Stack } from '../../local/stack.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** A statement and the number of rows it read in one table. */
export interface TableRead {
  table: string;
  rows: number;
  how: string;
  statement: string;
}

export async function writeDownPlans(stack: Stack): Promise<void> {
  const url = new URL(stack.databaseAdminUrl);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_parameter_max_length': '0',
    'auto_explain.log_format': 'json',
  };
  for (const [name, value] of Object.entries(settings))
    await client.query(`alter database ${databaseName} set ${name} = '${value}'`);
  // Existing sessions don't use the setting.
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    databaseName,
  ]);
  await client.end();
}

/** Returns a function that reads new entries of the server's log. */
export function followPlans(stack: Stack): () => TableRead[] {
  const path = join(stack.layout.logs, 'postgres.log');
  let offset = statSync(path).size;
  let rest = '';
  const read = (): string => {
    const size = statSync(path).size;
    // The launcher rotated the log.
    const before = size < offset ? readFileSync(`${path}.1`).subarray(offset) : '';
    const from = size < offset ? 0 : offset;
    const fresh = readFileSync(path).subarray(from);
    offset = from + fresh.length;
    return `${before}${fresh}`;
  };
  return () => {
    const { plans, unfinished } = splitPlans(rest + read());
    rest = unfinished;
    return plans.flatMap((plan) => tableReadsOf(plan.Plan, plan['Query Text']));
  };
}

interface LoggedPlan {
  'Query Text': string;
  Plan: PlanNode;
}

/** Splits the log: an entry continues with lines that start with a tab. */
function splitPlans(log: string): { plans: LoggedPlan[]; unfinished: string } {
  const entries = log.split(/\n(?=\d{4}-)/);
  // The last one may be incomplete until the next arrives.
  const unfinished = entries.pop() ?? '';
  const plans = entries.flatMap((entry) => {
    const plan = entry.split(/plan:\s*\n/)[1];
    return plan === undefined ? [] : parsePlan(plan.replaceAll('\n\t', '\n'));
  });
  return { plans, unfinished };
}

/** Concurrent long entries can be interleaved; such a plan is dropped. */
function parsePlan(text: string): LoggedPlan[] {
  try {
    return [JSON.parse(text) as LoggedPlan];
  } catch {
    return [];
  }
}

function tableReadsOf(node: PlanNode, statement: string): TableRead[] {
  const table = node['Relation Name'];
  const perLoop =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const own =
    table === undefined
      ? []
      : [{ table, rows: perLoop * (node['Actual Loops'] ?? 1), how: node['Node Type'], statement }];
  return [...own, ...(node.Plans ?? []).flatMap((one) => tableReadsOf(one, statement))];
}
