import { FailureError, newId, type RunId, type TenantId } from '#lib/kernel';
import { temporalConfigFrom } from '../application/temporal-config.js';
import type { TemporalPackages } from '../application/temporal.ports.js';
import type { Turn } from '../domain/drive-run.js';
import { TemporalDispatcher } from './temporal-dispatcher.js';

type Advance = (tenantId: string, runId: string) => Promise<Turn>;

/** Packages whose worker hands out its activity, and runs until it is shut down. */
function fakePackages(): { readonly packages: TemporalPackages; readonly activity: Promise<Advance> } {
  let handOut: (advance: Advance) => void;
  const activity = new Promise<Advance>((resolve) => (handOut = resolve));
  let end: () => void = () => undefined;
  const packages = {
    worker: {
      Runtime: { install: () => undefined },
      DefaultLogger: class {
        readonly fake = true;
      },
      NativeConnection: { connect: () => Promise.resolve({ close: () => Promise.resolve() }) },
      bundleWorkflowCode: () => Promise.resolve({ code: '' }),
      Worker: {
        create: ({ activities }: { readonly activities: { readonly advance: Advance } }) => {
          handOut(activities.advance);
          const run = new Promise<void>((resolve) => (end = resolve));
          const shutdown = (): void => {
            end();
          };
          return Promise.resolve({ run: () => run, shutdown });
        },
      },
    },
    client: {
      Client: class {
        readonly fake = true;
      },
    },
    activity: { Context: { current: () => ({ heartbeat: () => undefined }) } },
  };
  return { packages: packages as unknown as TemporalPackages, activity }; // a part of each class
}

describe('a turn that Temporal asks for', () => {
  it.each([
    ['tenant.moved', { next: 'none' }, 0],
    ['database.unavailable', { next: 'failed' }, 1],
  ])('answers %s by %j', async (code, turn, told) => {
    const config = temporalConfigFrom({
      COUNTERSIGN_DISPATCHER: 'temporal',
      COUNTERSIGN_TEMPORAL_ADDRESS: 'temporal.example:7233',
    });
    if (config === null) throw new Error('These settings choose Temporal.');
    const { packages, activity } = fakePackages();
    const failures: string[] = [];
    const dispatcher = await TemporalDispatcher.create(config, {
      advance: () => Promise.reject(new FailureError({ kind: 'unavailable', code, message: 'It is refused.' })),
      slugOf: () => Promise.resolve('acme'),
      ...{ atOnce: 1, workflowFile: '', packages, log: () => undefined },
      onFailure: (what) => failures.push(what),
    });
    dispatcher.start();
    const advance = await activity;
    expect(await advance(newId<TenantId>(), newId<RunId>())).toEqual(turn);
    expect(failures).toHaveLength(told);
    await dispatcher.stop();
  });
});
