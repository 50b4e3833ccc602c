import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseKeyPairsIntoRecord, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

export interface ExportOptions {
  service: string;
  /** Of the collector: spans go to its /v1/traces. */
  endpoint: string;
  /** What it knows us by: `name=value,name=value`, with values percent-encoded. */
  headers?: string | undefined;
  /** Which part of the traces is kept; whoever begins one decides for all. */
  ratio: number;
}

const exportTimeoutMs = 5_000;

/**
 * From now on steps are kept and sent by OTLP over HTTP. Load this file only then: it takes megabytes. Answers what sends
 * the rest at the end.
 */
export function exportTraces({
  service,
  endpoint,
  headers = '',
  ratio,
}: ExportOptions): () => Promise<void> {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'daylift',
      'service.name': service,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url,
          headers: parseKeyPairsIntoRecord(headers),
          timeoutMillis: exportTimeoutMs,
        }),
        scheduledDelayMillis: 2_000,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
}
