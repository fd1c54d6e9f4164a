import type { IncomingMessage } from 'node:http';
import type { LoggerOptions } from 'pino';
import { maskSecrets } from './mask-secrets.js';

/** Levels of pino, least important first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The path without its query, which may hold what a log must not. */
const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0] ?? '';

/**
 * How every process logs: JSON lines, times in ISO 8601 UTC, and no secret in any of them (T32): headers that carry
 * credentials are left out, and the finished line is masked.
 */
export function loggerOptions(service: string, level: LogLevel): LoggerOptions {
  return {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { streamWrite: maskSecrets },
    serializers: {
      req: (request: IncomingMessage & { id?: unknown; raw?: IncomingMessage }) => ({
        id: request.id,
        method: request.method,
        path: pathOf(request.url),
        user_agent: (request.raw ?? request).headers['user-agent'],
      }),
      res: (response: { statusCode?: number }) => ({ status: response.statusCode }),
    },
  };
}
