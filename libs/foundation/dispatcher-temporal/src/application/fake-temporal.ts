import type { Turn } from '../domain/drive-run.js';
import type { TemporalConnection, TemporalPackages } from './temporal.ports.js';

type Options<Method extends (options: never) => unknown> = Parameters<Method>[0];
type Signal = Parameters<InstanceType<TemporalPackages['client']['Client']>['workflow']['signalWithStart']>[1];

/** The packages of Temporal, with a server that notes signals. */
export class FakeTemporal {
  /** Each with the name of its workflow. */
  readonly signals: (Signal & { readonly workflow: string })[] = [];
  readonly connections: Options<TemporalPackages['worker']['NativeConnection']['connect']>[] = [];
  readonly workers: Options<TemporalPackages['worker']['Worker']['create']>[] = [];
  /** How often a connection is refused before one is made. */
  refusals = 0;
  /** The error of each signal; null if they are taken. */
  refusal: Error | null = null;
  /** Whether the server knows the namespaces that it is asked for. */
  knowsNamespaces = true;
  /** A call that gets no answer. */
  silentAt: 'connect' | 'describeNamespace' | 'create' | 'shutdown' | null = null;
  /** How many connections were closed. */
  closed = 0;
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

  get #connection(): TemporalConnection {
    return {
      workflowService: {
        describeNamespace: () =>
          this.knowsNamespaces
            ? this.#answer('describeNamespace', {})
            : Promise.reject(Object.assign(new Error('5 NOT_FOUND'), { code: 5 })),
      },
      close: () => Promise.resolve(void (this.closed += 1)),
    };
  }

  #answer<Answer>(at: FakeTemporal['silentAt'], answer: Answer): Promise<Answer> {
    return this.silentAt === at ? new Promise<never>(() => undefined) : Promise.resolve(answer);
  }

  get packages(): TemporalPackages {
    const signalled = (workflow: string, options: Signal): Promise<unknown> =>
      this.refusal === null
        ? Promise.resolve(this.signals.push({ workflow, ...options }))
        : Promise.reject(this.refusal);
    return {
      activity: { Context: { current: () => ({ heartbeat: () => undefined }) } },
      client: {
        Client: class {
          readonly workflow = {
            signalWithStart: signalled,
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
            return this.#answer('connect', this.#connection);
          },
        },
        Worker: {
          create: (options) => {
            this.workers.push(options);
            const running = new Promise<void>((resolve) => (this.#end = resolve));
            return this.#answer('create', {
              run: () => running,
              shutdown: () => {
                if (this.silentAt !== 'shutdown') this.#end();
              },
            });
          },
        },
        bundleWorkflowCode: () => Promise.resolve({ code: '' }),
      },
    };
  }
}
