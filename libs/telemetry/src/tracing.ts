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

// Without an exporter (export-traces.ts) all of this does nothing, and costs as much.
const tracer = trace.getTracer('daylift');

export interface Step {
  kind?: SpanKind;
  /** Ids and outcomes; never a number, an address, a query or a word of anybody. */
  attributes?: Attributes;
  /** Where it goes on, as it was stored or sent; without it what runs now. */
  parent?: string | null | undefined;
  /** A trace may begin here. Anything else is only part of one that has begun. */
  begins?: boolean;
}

/** Runs `work` as one step of a trace. */
export async function inSpan<T>(name: string, step: Step, work: () => Promise<T>): Promise<T> {
  const span = startSpan(name, step);
  if (span === null) return work();
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    // Its kind only: messages quote what is nobody's business.
    const { code, name: kind } = error as { code?: unknown; name?: string };
    span.setStatus({ code: SpanStatusCode.ERROR, message: String(code ?? kind ?? 'error') });
    throw error;
  } finally {
    span.end();
  }
}

/** For a step that ends elsewhere; null where there is no trace that it could belong to. */
export function startSpan(name: string, step: Step): Span | null {
  const { context: parent, links } = placeOf(step.parent);
  if (!step.begins && trace.getSpan(parent) === undefined) return null;
  const { kind = SpanKind.INTERNAL, attributes = {} } = step;
  return tracer.startSpan(name, { kind, attributes, links }, parent);
}

export const contextOf = (span: Span): Context => trace.setSpan(context.active(), span);

/** A stored trace goes on; what runs now is its parent if it belongs to it, and only linked with it otherwise. */
function placeOf(parent: string | null | undefined) {
  const active = context.active();
  if (!parent) return { context: active, links: [] };
  const stored = propagation.extract(ROOT_CONTEXT, { traceparent: parent });
  const [now, then] = [trace.getSpanContext(active), trace.getSpanContext(stored)];
  if (then === undefined || now?.traceId === then.traceId) return { context: active, links: [] };
  return { context: stored, links: now === undefined ? [] : [{ context: now }] };
}

/** What runs now, to be stored or sent, so that its trace can go on from there; null where none is kept. */
export function currentTraceparent(): string | null {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined || (span.traceFlags & TraceFlags.SAMPLED) === 0) return null;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** The same as headers of a request. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === null ? {} : { traceparent };
}

/** What names the present step in a log. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}
