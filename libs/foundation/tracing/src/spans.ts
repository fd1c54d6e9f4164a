import {
  type Context,
  context,
  isSpanContextValid,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { errorCode } from '#lib/kernel';

/** The facts of a span: our own names, ids, counts, outcomes. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** `calls` if somebody else is waited for, `takes` if work was left behind by another. */
export type SpanRole = 'part' | 'calls' | 'takes';

const KINDS = { part: SpanKind.INTERNAL, calls: SpanKind.CLIENT, takes: SpanKind.CONSUMER } as const satisfies Readonly<
  Record<SpanRole, SpanKind>
>;

const TRACER = 'countersign';
/** W3C Trace Context, version 00. */
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Whether this process records traces at all. */
export function traced(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(TRACER) !== undefined;
}

/** Whether the current work is part of a trace. */
export const tracing = (): boolean => trace.getActiveSpan() !== undefined;

/**
 * Runs `work` as a span of the current trace. Without a trace it runs `work` untraced: libraries never start a trace.
 *
 * @param name evaluated only within a trace.
 */
export function inSpan<T>(
  name: string | (() => string),
  role: SpanRole,
  facts: SpanFacts,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing()) return work();
  return under(typeof name === 'string' ? name : name(), role, facts, context.active(), work);
}

/**
 * Runs `work` as a span of the trace that `parent` names, which travelled with a job or was stored with a row. Begins
 * a trace if there is no parent, or an invalid one.
 */
export const continueTrace = <T>(
  name: string,
  parent: string | null,
  facts: SpanFacts,
  work: () => Promise<T>,
): Promise<T> => under(name, 'takes', facts, contextOf(parent), work);

/** The trace under way as a `traceparent` (W3C Trace Context), to be kept or sent along; null if there is none. */
export function traceParent(): string | null {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined || !isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}

/** Adds facts that only the work knows to the current span. */
export function noteOn(facts: SpanFacts): void {
  trace.getActiveSpan()?.setAttributes(facts);
}

async function under<T>(
  name: string,
  role: SpanRole,
  facts: SpanFacts,
  parent: Context,
  work: () => Promise<T>,
): Promise<T> {
  const span = trace.getTracer(TRACER).startSpan(name, { kind: KINDS[role], attributes: facts }, parent);
  // Without an exporter no later span records either.
  if (!isSpanContextValid(span.spanContext())) return work();
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Only the kind of an error: its message might hold secrets. */
function fail(span: Span, error: unknown): void {
  const code = errorCode(error);
  const kind = error instanceof Error ? error.name : typeof error;
  span.setAttributes({ 'error.type': code === undefined ? kind : `${kind} ${code}` });
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function contextOf(parent: string | null): Context {
  const [, traceId, spanId, flags] = (parent === null ? null : TRACE_PARENT.exec(parent)) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
}
