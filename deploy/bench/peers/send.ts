// What a script without guarantees does: the official SDK, 50 calls in parallel, one update per text.
import pg from 'pg';
import Telnyx from 'telnyx';

const PARALLEL = 50;
const [databaseUrl = '', providerUrl = '', apiKey = '', from = ''] = process.argv.slice(2);
const telnyx = new Telnyx({ apiKey, baseURL: `${providerUrl}/v2`, maxRetries: 0, logLevel: 'off' });
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const { rows: texts } = await pool.query<{ id: string; to_number: string; body: string }>(
  `select id, to_number, body from peer_texts where state = 'queued'`,
);
const startedAt = performance.now();
await Promise.all(
  Array.from({ length: PARALLEL }, async () => {
    for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
      const { data } = await telnyx.messages.send({ from, to: text.to_number, text: text.body });
      await pool.query(`update peer_texts set state = 'accepted', provider_id = $1 where id = $2`, [
        data?.id,
        text.id,
      ]);
    }
  }),
);
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ms: performance.now() - startedAt, cpu_ms: (user + system) / 1_000 }));
await pool.end();
