import { isAbsolute } from 'node:path';
import {
  checkpointDestinationsFrom,
  type CheckpointDestinations,
  integerSetting,
  installationConfigFrom,
  textSetting,
  type InstallationConfig,
} from '#lib/installation';
import { LOOK_MS } from '#lib/database';
import { temporalConfigFrom, type TemporalConfig } from '#lib/dispatcher-temporal';
import { wrongSetting } from '#lib/kernel';
import { logLevelFrom, type LogLevel } from '#lib/operation';

type Environment = Readonly<Record<string, string | undefined>>;

/** How one worker process runs. */
export interface WorkerConfig extends InstallationConfig, CheckpointDestinations {
  readonly logLevel: LogLevel;
  /** The address of `/health` and `/metrics`: no tenant reaches it. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly databasePoolSize: number;
  /** How often rows that are due are looked for, in milliseconds. */
  readonly lookMs: number;
  /** How many days a run of an automation is kept after its end. */
  readonly automationRunDays: number;
  /** The file that the audit logs of all tenants are exported to as OCSF lines, or null. */
  readonly ocsfFile: string | null;
  /** Temporal, if runs are advanced through it; null for the embedded dispatcher. */
  readonly temporal: TemporalConfig | null;
}

export const defaultWorkerConfig: Omit<WorkerConfig, keyof InstallationConfig> = {
  logLevel: 'info',
  host: '127.0.0.1',
  port: 9_465,
  databasePoolSize: 20,
  lookMs: LOOK_MS,
  automationRunDays: 90,
  checkpointDirectory: null,
  checkpointsElsewhere: true,
  checkpointUrl: null,
  ocsfFile: null,
  temporal: null,
};

/**
 * The configuration from environment variables (COUNTERSIGN_*).
 *
 * @param root the package root, under which the data folder is kept if nothing else is said.
 * @throws {FailureError} `start.wrong_setting`, naming the variable that is wrong.
 */
export function workerConfigFrom(environment: Environment, root: string): WorkerConfig {
  return {
    ...installationConfigFrom(environment, root),
    logLevel: logLevelFrom(environment),
    host: textSetting(environment, 'COUNTERSIGN_WORKER_HOST') ?? defaultWorkerConfig.host,
    port: integerSetting(environment, 'COUNTERSIGN_WORKER_PORT', defaultWorkerConfig.port, [0, 65_535]),
    databasePoolSize: integerSetting(
      environment,
      'COUNTERSIGN_DATABASE_POOL',
      defaultWorkerConfig.databasePoolSize,
      [1, 1_000],
    ),
    lookMs: integerSetting(environment, 'COUNTERSIGN_LOOK_MS', defaultWorkerConfig.lookMs, [50, 60_000]),
    automationRunDays: integerSetting(
      environment,
      'COUNTERSIGN_AUTOMATION_RUN_DAYS',
      defaultWorkerConfig.automationRunDays,
      [1, 36_500],
    ),
    ...checkpointDestinationsFrom(environment),
    ocsfFile: ocsfFileOf(environment.COUNTERSIGN_OCSF_FILE),
    temporal: temporalConfigFrom(environment),
  };
}

/** A relative path would name another file for each folder that a worker is started in. */
function ocsfFileOf(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  if (isAbsolute(text)) return text;
  throw wrongSetting('COUNTERSIGN_OCSF_FILE must be an absolute path.');
}
