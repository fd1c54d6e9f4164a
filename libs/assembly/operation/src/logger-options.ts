import type { LoggerOptions } from 'pino';
import { wrongSetting } from '#lib/kernel';
import { maskSecrets } from './mask-secrets.js';

/** Levels of pino, least important first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Reads `COUNTERSIGN_LOG_LEVEL`; info if it is empty or not set. @throws {FailureError} `start.wrong_setting`. */
export function logLevelFrom(environment: Readonly<Record<string, string | undefined>>): LogLevel {
  const wanted = environment.COUNTERSIGN_LOG_LEVEL ?? '';
  const level = LOG_LEVELS.find((each) => each === (wanted === '' ? 'info' : wanted));
  if (level === undefined)
    throw wrongSetting(`COUNTERSIGN_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, and is "${wanted}".`);
  return level;
}

/**
 * The logger of every process: JSON lines, times in ISO 8601 UTC, and no secret in any of them. The finished line is
 * masked, and no process logs a request's headers, body or URL (T32).
 */
export function loggerOptions(service: string, level: LogLevel): LoggerOptions {
  return {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { streamWrite: maskSecrets },
  };
}
