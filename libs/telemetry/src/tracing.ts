import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';

export { context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';

// Without an exporter (export-traces.ts), spans are no-ops.
const tracer = trace.getTracer('daylift');

export interface Step {
  kind?: SpanKind;
  /** Ids and outcomes only; never a number, an address, a query or text content. */
  attributes?: Attributes;
  /** Stored or received traceparent; defaults to the current span. */
  parent?: string | null | undefined;
  /** Whether the span may start a trace. By default, it only joins one. */
  begins?: boolean;
}

export async function inSpan<T>(name: string, step: Step, work: () => Promise<T>): Promise<T> {
  const span = startSpan(name, step);
  if (span === null) return work();
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    // The kind only, because messages can contain personal data.
    const { code, name: kind } = error as { code?: unknown; name?: string };
    span.setStatus({ code: SpanStatusCode.ERROR, message: String(code ?? kind ?? 'error') });
    throw error;
  } finally {
    span.end();
  }
}

/** Starts a span that ends elsewhere. Returns null if there is no trace to join. */
export function startSpan(name: string, step: Step): Span | null {
  const { context: parent, links } = resolveParent(step.parent);
  if (!step.begins && trace.getSpan(parent) === undefined) return null;
  const { kind = SpanKind.INTERNAL, attributes = {} } = step;
  return tracer.startSpan(name, { kind, attributes, links }, parent);
}

/** Runs `work` in a stored trace, without its own span. */
export const inTrace = <T>(traceparent: string | null | undefined, work: () => T): T =>
  context.with(resolveParent(traceparent).context, work);

export const contextOf = (span: Span): Context => trace.setSpan(context.active(), span);

/** Continues a stored trace. The current span becomes the parent if it belongs to that trace, and a link otherwise. */
function resolveParent(parent: string | null | undefined) {
  const active = context.active();
  if (!parent) return { context: active, links: [] };
  const stored = propagation.extract(ROOT_CONTEXT, { traceparent: parent });
  const [now, then] = [trace.getSpanContext(active), trace.getSpanContext(stored)];
  if (then === undefined || now?.traceId === then.traceId) return { context: active, links: [] };
  return { context: stored, links: now === undefined ? [] : [{ context: now }] };
}

/** Returns the current span as a traceparent to store or send, or null if it isn't recorded. */
export function currentTraceparent(): string | null {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined || (span.traceFlags & TraceFlags.SAMPLED) === 0) return null;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** Returns a span as a traceparent to store. */
export const traceparentOf = (span: Span): string | null =>
  context.with(contextOf(span), currentTraceparent);

export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === null ? {} : { traceparent };
}

export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}
