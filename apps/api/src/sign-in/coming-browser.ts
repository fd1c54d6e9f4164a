import type { FastifyRequest } from 'fastify';
import type { ComingBrowser } from '#lib/sign-in';

/** The browser that asks to come in, as far as it says so; its address is that behind trusted proxies. */
export const comingBrowser = ({ headers, ip }: FastifyRequest): ComingBrowser => ({
  userAgent: headers['user-agent'] ?? '',
  address: ip,
});
