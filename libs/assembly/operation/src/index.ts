/**
 * The operator's view of a process: logs without secrets, metrics for Prometheus, traces if they are asked for.
 *
 * Shared by every app; no library of the main job imports it. Nothing here decides anything, and nothing here may hold
 * a tenant's data.
 */
export { loggerOptions, LOG_LEVELS, logLevelFrom, type LogLevel } from './logger-options.js';

export { boundUnreadBodies } from './bound-unread-bodies.js';
export { claimFile, ClaimedElsewhere } from './claim-file.js';
export { inDataFolder, makeDataFolder, makeServerData } from './data-folder.js';
export { addressesAlone, forwardedAddress } from './forwarded-for.js';
export { listening } from './listening.js';
export { measureDatabase } from './measure-database.js';
export { serveMetrics } from './metrics-server.js';
export { Metrics } from './metrics.js';
export { report } from './report.js';
export { runProcess } from './run-process.js';
export { serveSpan, startTracing, type ServedSpan } from './tracing.js';
export { trustedProxiesFrom } from './trusted-proxies.js';
export { reportUnknownSettings } from './unknown-settings.js';
