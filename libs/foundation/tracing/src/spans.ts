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

/** What a span says of its work: names of ours, ids, counts, outcomes. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** `calls` where somebody else is waited for, `takes` where work was left behind by another. */
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

/** Whether what runs now is part of a trace. */
export const tracing = (): boolean => trace.getActiveSpan() !== undefined;

/**
 * Runs `work` as a span of the trace under way; just runs it where there is none, so that what nobody asked for makes no trace
 * of its own.
 *
 * @param name asked for only where there is a trace.
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
 * Runs `work` as a span of the trace that `parent` names: what was taken from a queue, or found waiting. Begins a trace where
 * there is no parent, or where what was kept is none.
 */
export const continueTrace = <T>(
  name: string,
  parent: string | null,
  facts: SpanFacts,
  work: () => Promise<T>,
): Promise<T> => under(name, 'takes', facts, contextOf(parent), work);

/** The trace under way as a `traceparent` (W3C Trace Context), to be kept or sent along; null where there is none. */
export function traceParent(): string | null {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined || !isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}

/** Adds to the span under way what only its work could tell. */
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
  // Nobody records, and nobody further on would.
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

/** Its message might hold anything; what kind it is cannot. */
function fail(span: Span, error: unknown): void {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const kind = error instanceof Error ? error.name : typeof error;
  span.setAttributes({ 'error.type': typeof code === 'string' ? `${kind} ${code}` : kind });
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function contextOf(parent: string | null): Context {
  const [, traceId, spanId, flags] = (parent === null ? null : TRACE_PARENT.exec(parent)) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
}
