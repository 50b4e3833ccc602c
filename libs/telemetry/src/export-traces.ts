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
  endpoint: string;
  headers?: string | undefined;
  /** Sampled share of traces, decided where the trace starts. */
  ratio: number;
}

const exportTimeoutMs = 5_000;

/**
 * Starts recording spans and exporting them by OTLP/HTTP. Returns a function that flushes the rest. Import this file
 * lazily, because it takes megabytes.
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
