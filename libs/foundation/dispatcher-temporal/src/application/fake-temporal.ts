import type { Turn } from '../domain/drive-run.js';
import type { TemporalPackages } from './temporal.ports.js';

type Options<Method extends (options: never) => unknown> = Parameters<Method>[0];
type Signal = Parameters<InstanceType<TemporalPackages['client']['Client']>['workflow']['signalWithStart']>[1];

/** The packages of Temporal, with a server that notes signals. */
export class FakeTemporal {
  readonly signals: Signal[] = [];
  readonly connections: Options<TemporalPackages['worker']['NativeConnection']['connect']>[] = [];
  readonly workers: Options<TemporalPackages['worker']['Worker']['create']>[] = [];
  /** How often a connection is refused before one is made. */
  refusals = 0;
  #end: () => void = () => undefined;

  /** The connection is lost. */
  lose(): void {
    this.#end();
  }

  /** Calls the activity of the latest worker. */
  turn(tenantId: string, runId: string, installation: string): Promise<Turn> {
    const worker = this.workers.at(-1);
    if (worker === undefined) throw new Error('there is no worker');
    return worker.activities.advance(tenantId, runId, installation);
  }

  get packages(): TemporalPackages {
    const { signals } = this;
    return {
      activity: { Context: { current: () => ({ heartbeat: () => undefined }) } },
      client: {
        Client: class {
          readonly workflow = {
            signalWithStart: (_workflow: string, options: Signal) => Promise.resolve(signals.push(options)),
          };
        },
      },
      worker: {
        Runtime: { install: () => undefined },
        DefaultLogger: class {
          readonly level = 'WARN';
        },
        NativeConnection: {
          connect: (options) => {
            this.connections.push(options);
            this.refusals -= 1;
            if (this.refusals >= 0) return Promise.reject(new Error('refused'));
            return Promise.resolve({ close: () => Promise.resolve() });
          },
        },
        Worker: {
          create: (options) => {
            this.workers.push(options);
            const running = new Promise<void>((resolve) => (this.#end = resolve));
            return Promise.resolve({ run: () => running, shutdown: this.#end });
          },
        },
        bundleWorkflowCode: () => Promise.resolve({ code: '' }),
      },
    };
  }
}
