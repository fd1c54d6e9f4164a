import type { LoggerService } from '@nestjs/common';

/** The contexts in which Nest logs every module and route at each start. */
const chatter = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** The log while the application starts: without a line for each route. */
export const startLog = (logger: LoggerService): LoggerService => ({
  log: (message: unknown, ...rest: unknown[]) => {
    if (!chatter.has(String(rest.at(-1)))) logger.log(message, ...rest);
  },
  warn: (message: unknown, ...rest: unknown[]) => {
    logger.warn(message, ...rest);
  },
  error: (message: unknown, ...rest: unknown[]) => {
    logger.error(message, ...rest);
  },
});
