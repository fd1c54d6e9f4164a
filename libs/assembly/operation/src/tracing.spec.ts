import { serveSpan, startTracing, tracingWanted } from './tracing.js';

describe('tracing', () => {
  it.each<[Record<string, string>, boolean]>([
    [{}, false],
    [{ PATH: '/bin' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' }, false],
  ])('is started by the environment alone: %j', (environment, wanted) => {
    expect(tracingWanted(environment)).toBe(wanted);
  });

  it('costs nothing and hinders nothing if it was not asked for', async () => {
    const stop = await startTracing('api', {});
    let ran = false;
    const span = serveSpan('GET', { traceparent: 'nonsense' });
    span.run(() => (ran = true));
    span.end('/v1/me', 200);
    await stop();
    expect(ran).toBe(true);
  });
});
