import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface CollectedSpan {
  service: string;
  name: string;
  trace_id: string;
  span_id: string;
  /** Null for a root span. */
  parent_id: string | null;
  attributes: Record<string, unknown>;
  /** Linked traces. */
  links: string[];
  failed: boolean;
  started_ms: number;
  ended_ms: number;
}

export interface TraceCollector {
  url: string;
  spans(): CollectedSpan[];
  /** Returns all received bodies. */
  raw(): string;
  headers(): IncomingHttpHeaders;
  close(): void;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}
interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: Attribute[];
  links?: { traceId: string }[];
  status?: { code?: number };
}
interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

/** Starts an OTLP/HTTP collector that keeps traces for tests. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const bodies: string[] = [];
  let headers: IncomingHttpHeaders = {};
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    headers = request.headers;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => bodies.flatMap((body) => readSpans(JSON.parse(body) as OtlpRequest)),
    raw: () => bodies.join('\n'),
    headers: () => headers,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const readSpans = ({ resourceSpans }: OtlpRequest): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => readSpan(service, span)));
  });

const readSpan = (service: string, span: OtlpSpan): CollectedSpan => ({
  service,
  name: span.name,
  trace_id: span.traceId,
  span_id: span.spanId,
  parent_id: span.parentSpanId || null,
  attributes: readAttributes(span.attributes ?? []),
  links: (span.links ?? []).map(({ traceId }) => traceId),
  failed: span.status?.code === 2,
  started_ms: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
  ended_ms: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
});

const readAttributes = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
