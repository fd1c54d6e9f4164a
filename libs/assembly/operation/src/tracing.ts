import { type Context, context, type Span, SpanKind, SpanStatusCode, propagation, trace } from '@opentelemetry/api';

/** Whether the operator asked for traces: any OTEL_* variable but one that switches them off. */
export const tracingWanted = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  environment.OTEL_SDK_DISABLED !== 'true' && Object.keys(environment).some((name) => name.startsWith('OTEL_'));

/**
 * Starts the OpenTelemetry SDK if the environment asks for it (OTEL_EXPORTER_OTLP_ENDPOINT and its kin, which the SDK
 * reads itself). If it does not, nothing is loaded, and the spans of this library cost nothing.
 *
 * @returns how to flush and stop it.
 */
export async function startTracing(
  service: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<() => Promise<void>> {
  if (!tracingWanted(environment)) return () => Promise.resolve();
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK({
    serviceName: environment.OTEL_SERVICE_NAME ?? `countersign-${service}`,
    instrumentations: [],
  });
  sdk.start();
  return () => sdk.shutdown();
}

/** A request being served, as a trace sees it. */
export interface ServedSpan {
  /** Runs `work`, which serves the request, as a part of the caller's trace. */
  run(work: () => void): void;
  /** @param route the route's template: no id and no query comes into a trace. */
  end(route: string, status: number): void;
}

/** Opens the span of a request, continuing the trace that its headers carry (W3C Trace Context). */
export function serveSpan(
  method: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ServedSpan {
  const parent: Context = propagation.extract(context.active(), headers);
  const span: Span = trace.getTracer('countersign').startSpan(method, { kind: SpanKind.SERVER }, parent);
  return {
    run: (work) => {
      context.with(trace.setSpan(parent, span), work);
    },
    end: (route, status) => {
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
