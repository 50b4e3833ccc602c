import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { chooseFreePorts, isListening, waitUntil } from '../local/ports.ts';
import { requirePrograms } from '../local/system-packages.ts';
import { type DueStack, withDueStack } from './due-stack.ts';
import type { Figure } from './figure.ts';
import { call, inParallel, percentile } from './http-load.ts';

const REQUESTS = 10_000;
const WARM_UP = 1_000;
const PARALLEL = 50;
const nginx = { commands: ['nginx'], debian: 'nginx-light', fedora: 'nginx', macos: 'nginx' };

/** Measures requests per second through the gateway, compared with nginx as reverse proxy of the same service. */
export function measureGateway(): Promise<Figure[]> {
  return withDueStack({ texts: 100 }, async (due) => {
    const gateway = await measureUrl(`${due.stack.urls.gateway}/api/plans`);
    const proxy = await withNginx(due, (url) => measureUrl(`${url}/plans`));
    return [
      {
        what: `requests per second through the gateway, ${PARALLEL} in parallel (baseline: nginx, same upstream)`,
        ours: `${gateway.perSecond.toFixed(0)}, p99 ${gateway.p99.toFixed(1)} ms`,
        baseline: `${proxy.perSecond.toFixed(0)}, p99 ${proxy.p99.toFixed(1)} ms`,
        ratio: gateway.perSecond / proxy.perSecond,
        better: 'higher',
      },
    ];
  });
}

async function measureUrl(url: string): Promise<{ perSecond: number; p99: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });
  const times: number[] = [];
  const one = async () => {
    const startedAt = performance.now();
    const { status } = await call(agent, url);
    if (status !== 200) throw new Error(`${url} responded with ${status}`);
    times.push(performance.now() - startedAt);
  };
  await inParallel(WARM_UP, PARALLEL, one);
  times.length = 0;
  const startedAt = performance.now();
  await inParallel(REQUESTS, PARALLEL, one);
  const seconds = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  return { perSecond: REQUESTS / seconds, p99: percentile(times, 0.99) };
}

async function withNginx<T>({ stack }: DueStack, work: (url: string) => Promise<T>): Promise<T> {
  const [program = ''] = await requirePrograms([nginx], console.log);
  const upstream = stack.processes().find(({ name }) => name === 'billing');
  if (upstream === undefined) throw new Error('billing is not running');
  const [port = 0] = await chooseFreePorts(1);
  const folder = stack.layout.run;
  const path = join(folder, 'nginx.conf');
  await writeFile(path, configuration(folder, port, upstream.port));
  const child = spawn(program, ['-c', path, '-e', join(folder, 'nginx.log')], { stdio: 'inherit' });
  try {
    if (!(await waitUntil(() => isListening(port), 10_000, 50)))
      throw new Error('nginx did not start within 10 s.');
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

/** One worker, as the gateway is one process; 64 kept connections to the service. */
const configuration = (folder: string, port: number, upstream: number): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/nginx-body;
  proxy_temp_path ${folder}/nginx-proxy;
  fastcgi_temp_path ${folder}/nginx-fastcgi;
  uwsgi_temp_path ${folder}/nginx-uwsgi;
  scgi_temp_path ${folder}/nginx-scgi;
  upstream service { server 127.0.0.1:${upstream}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`;
