import { FailureError } from '#lib/kernel';
import type { TemporalPackages } from '../application/temporal.ports.js';

/** The packages of Temporal, in the version that test/scale runs. */
const PACKAGES = ['client', 'worker', 'workflow', 'activity'].map((name) => `@temporalio/${name}`);
/** Equal to the peer dependencies of package.json. */
export const TEMPORAL_VERSION = '1.24.0';

const ABSENT: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/**
 * Loads the optional packages of Temporal.
 *
 * @throws {FailureError} `dispatcher.temporal_missing` if they are not installed.
 */
export async function loadTemporal(
  load: (name: string) => Promise<unknown> = (name) => import(name),
): Promise<TemporalPackages> {
  try {
    const [worker, client, activity] = await Promise.all(
      ['worker', 'client', 'activity'].map((name) => load(`@temporalio/${name}`)),
    );
    // The packages have the pinned version, from which these types are.
    return { worker, client, activity } as TemporalPackages;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ABSENT.includes(error.code))) throw error;
    throw new FailureError(
      {
        kind: 'unavailable',
        code: 'dispatcher.temporal_missing',
        message: `COUNTERSIGN_DISPATCHER=temporal needs ${PACKAGES.join(', ')}, and they are not installed.`,
        action: `Run npm install --no-save --save-peer ${PACKAGES.map((name) => `${name}@${TEMPORAL_VERSION}`).join(' ')} in the folder of Countersign, or unset COUNTERSIGN_DISPATCHER.`,
      },
      { cause: error },
    );
  }
}
