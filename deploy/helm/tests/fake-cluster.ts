import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Secrets = Record<string, Record<string, string>>;

const kinds = [
  { name: 'namespaces', singularName: 'namespace', namespaced: false, kind: 'Namespace' },
  { name: 'secrets', singularName: 'secret', namespaced: true, kind: 'Secret' },
].map((kind) => ({ ...kind, verbs: ['get', 'list'] }));

const discovery: Record<string, object> = {
  '/version': { major: '1', minor: '37', gitVersion: 'v1.37.2' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: kinds },
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function find(path: string, secrets: Secrets): object | undefined {
  const [, namespace, secret] =
    /^\/api\/v1\/namespaces\/([^/]+)(?:\/secrets\/([^/]+))?$/.exec(path) ?? [];
  if (namespace === undefined) return discovery[path];
  if (secret === undefined)
    return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  const keys = secrets[secret];
  if (keys === undefined) return undefined;
  const data = Object.entries(keys).map(([key, value]) => [key, base64(value)]);
  const metadata = { name: secret, namespace };
  return { apiVersion: 'v1', kind: 'Secret', metadata, data: Object.fromEntries(data) };
}

function answer(response: ServerResponse, found: object | undefined): void {
  const missing = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound' };
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found ?? { ...missing, code: 404 }));
}

/** Starts a fake API server with what helm needs for rendering: a namespace and its Secrets. */
export async function startFakeCluster(secrets: Secrets) {
  const server = createServer((request, response) =>
    answer(response, find(request.url?.split('?')[0] ?? '', secrets)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    kubeconfig: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'fake', cluster: { server: url } }],
      users: [{ name: 'fake', user: {} }],
      contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'fake' } }],
      'current-context': 'fake',
    }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
