import helmet from '@fastify/helmet';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

const YEARS_2_SECONDS = 63_072_000;

/** A page may load resources of this origin, and nothing inline. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join(';');

/** The policy of an answer of the API, if a browser ever shows it as a page: it loads nothing. */
const ANSWER_POLICY = "default-src 'none';frame-ancestors 'none';base-uri 'none'";

/**
 * Headers by which browsers protect their users. They are a Content-Security-Policy without inline script, no framing, no
 * sniffing and no referrer. A route that says another policy keeps it; and HSTS if people come over TLS. No cache keeps an
 * answer, unless its route says otherwise. A shared browser would show it after its reader signed out, and a proxy could hand it
 * to another reader.
 */
export async function useSecurityHeaders(app: NestFastifyApplication, publicUrl: string): Promise<void> {
  const secure = new URL(publicUrl).protocol === 'https:';
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    hsts: secure ? { maxAge: YEARS_2_SECONDS, includeSubDomains: false } : false,
  });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', (_request, reply, payload, done) => {
      if (!reply.hasHeader('content-security-policy')) {
        const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html');
        void reply.header('content-security-policy', isPage ? PAGE_POLICY : ANSWER_POLICY);
      }
      if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
      done(null, payload);
    });
}
