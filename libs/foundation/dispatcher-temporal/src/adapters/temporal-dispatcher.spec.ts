import { FailureError, newId, type RunId, type TenantId } from '#lib/kernel';
import { passedWaits, passTimers } from '../../../../../test/support/passed-waits.js';
import { FakeTemporal } from '../application/fake-temporal.js';
import type { TemporalConfig } from '../application/temporal-config.js';
import { TemporalDispatcher, type TemporalDispatcherParts } from './temporal-dispatcher.js';

const tenantId = newId<TenantId>();
const runId = newId<RunId>();
const HERE = 'here';
const config: TemporalConfig = {
  address: 'temporal:7233',
  namespace: 'countersign',
  taskQueue: null,
  weights: new Map([['acme', 3]]),
  tls: null,
  apiKey: null,
};

let temporal: FakeTemporal;
let failures: string[];
let recoveries: number;
let dispatcher: TemporalDispatcher;

async function started(
  changes: Partial<TemporalDispatcherParts> = {},
  settings: Partial<TemporalConfig> = {},
): Promise<void> {
  dispatcher = await TemporalDispatcher.create(
    { ...config, ...settings },
    {
      installation: HERE,
      advance: () => Promise.resolve({ when: 'never' }),
      slugOf: () => Promise.resolve('acme'),
      atOnce: 2,
      workflowFile: '/workflow.js',
      onFailure: (what, error) => failures.push(`${what}: ${String(error)}`),
      onRecovery: () => (recoveries += 1),
      log: () => undefined,
      packages: temporal.packages,
      ...changes,
    },
  );
  dispatcher.start();
}

/** The pause before a connection is made anew. */
const waits = passedWaits((ms) => ms === 1_000);

/** Tries until there is a connection. */
async function handedOver(hinted = true): Promise<void> {
  const deadline = performance.now() + 10_000;
  while ((await dispatcher.handOver(tenantId, runId, hinted)) !== null) {
    if (performance.now() > deadline) throw new Error('there is no connection');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the dispatcher through Temporal', () => {
  beforeEach(() => {
    temporal = new FakeTemporal();
    failures = [];
    recoveries = 0;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await dispatcher.stop();
  });

  it('signals the workflow of the run, or starts it, with the share of the tenant', async () => {
    await started();
    await handedOver();
    expect(temporal.signals).toEqual([
      {
        workflow: 'countersignRun',
        workflowId: `${runId}.here`,
        taskQueue: 'countersign-runs-here',
        args: [tenantId, runId, 'here'],
        signal: 'wake',
        priority: { fairnessKey: tenantId, fairnessWeight: 3 },
      },
    ]);
  });

  it('gives a tenant without a weight none', async () => {
    await started({ slugOf: () => Promise.resolve('globex') });
    await handedOver();
    expect(temporal.signals[0]?.priority).toEqual({ fairnessKey: tenantId });
  });

  it('passes every hint on, and leaves a run alone that a look finds right after', async () => {
    await started();
    await handedOver(false);
    await handedOver(false);
    expect(temporal.signals).toHaveLength(1);
    await handedOver(true);
    expect(temporal.signals).toHaveLength(2);
  });

  it('asks for patience without a connection, reports why, and connects anew after a loss', async () => {
    temporal.refusals = 1;
    await started();
    expect(await dispatcher.handOver(tenantId, runId, true)).toBe(1_000);
    await handedOver();
    expect(failures).toEqual(['connection: Error: refused']);
    expect(waits).toEqual([1_000]);
    temporal.lose();
    await new Promise((resolve) => setImmediate(resolve));
    await handedOver();
    expect(temporal.workers).toHaveLength(2);
  });

  it('asks for patience if the connection is lost while the weight of the tenant is read', async () => {
    let loses = false;
    await started({
      slugOf: async () => {
        if (!loses) return 'acme';
        const unavailable = Object.assign(new Error('14 UNAVAILABLE'), { code: 14 });
        temporal.refusal = new Error('Failed to signalWithStart Workflow', { cause: unavailable });
        // No other connection takes its place.
        temporal.silentAt = 'connect';
        temporal.lose();
        while (temporal.closed === 0) await new Promise((resolve) => setImmediate(resolve));
        return 'acme';
      },
    });
    await handedOver();
    loses = true;
    expect(await dispatcher.handOver(tenantId, runId, true)).toBe(1_000);
    expect(failures).toEqual(['connection: Error: Failed to signalWithStart Workflow']);
  });

  it('reports an outage once, and its end once Temporal takes a run again', async () => {
    temporal.refusals = 2;
    await started();
    await handedOver();
    expect(temporal.connections).toHaveLength(3);
    expect([failures, recoveries]).toEqual([['connection: Error: refused'], 1]);
    await handedOver();
    expect(recoveries).toBe(1);
  });

  it('reports the end of an outage without a run, too, once its worker stays connected', async () => {
    passTimers(5_000);
    temporal.refusals = 1;
    const recovered = new Promise<void>((resolve) => {
      void started({ onRecovery: resolve });
    });
    await recovered;
    expect([failures, temporal.signals]).toEqual([['connection: Error: refused'], []]);
  });

  it('asks for patience if Temporal does not take a run, reports it once, and leaves it alone for a second', async () => {
    await started();
    await handedOver();
    const unavailable = Object.assign(new Error('14 UNAVAILABLE'), { code: 14 });
    temporal.refusal = new Error('Failed to signalWithStart Workflow', { cause: unavailable });
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    expect(await dispatcher.handOver(tenantId, runId, true)).toBe(1_000);
    now.mockReturnValue(1_001_000);
    expect(await dispatcher.handOver(tenantId, runId, true)).toBe(1_000);
    temporal.refusal = null;
    expect(await dispatcher.handOver(tenantId, runId, true)).toBe(1_000);
    expect([failures, recoveries]).toEqual([['connection: Error: Failed to signalWithStart Workflow'], 0]);
    now.mockReturnValue(1_002_000);
    expect(await dispatcher.handOver(tenantId, runId, true)).toBeNull();
    expect([temporal.signals.length, recoveries]).toEqual([2, 1]);
  });

  it('fails a run that Temporal refuses for any other reason', async () => {
    await started();
    await handedOver();
    temporal.refusal = Object.assign(new Error('7 PERMISSION_DENIED'), { code: 7 });
    await expect(dispatcher.handOver(tenantId, runId, true)).rejects.toThrow('7 PERMISSION_DENIED');
    expect(failures).toEqual([]);
  });

  it('says which namespace is missing, closes the connection, and creates no worker for it', async () => {
    temporal.knowsNamespaces = false;
    const told = new Promise<unknown>((resolve) => {
      void started({
        onFailure: (_what, error) => {
          resolve(error);
        },
      });
    });
    expect(await told).toMatchObject({
      failure: {
        code: 'dispatcher.temporal_namespace_missing',
        message: 'Temporal at temporal:7233 has no namespace "countersign".',
        action: expect.stringContaining('temporal operator namespace create --namespace countersign'),
      },
    });
    expect([temporal.closed, temporal.workers]).toEqual([1, []]);
    temporal.knowsNamespaces = true;
    await handedOver();
  });

  it.each(['connect', 'describeNamespace'] as const)(
    'says that Temporal is silent at %s, and tries again',
    async (at) => {
      passTimers(10_000);
      temporal.silentAt = at;
      await started();
      while (failures.length === 0) await new Promise((resolve) => setImmediate(resolve));
      expect(failures).toEqual([
        'connection: FailureError: dispatcher.temporal_silent: Temporal at temporal:7233 did not answer within 10 seconds.',
      ]);
      temporal.silentAt = null;
      await handedOver();
    },
  );

  it.each(['connect', 'describeNamespace', 'create'] as const)('stops though Temporal is silent at %s', async (at) => {
    temporal.silentAt = at;
    await started();
    while (at === 'create' && temporal.workers.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await dispatcher.stop();
    expect([temporal.connections.length, failures]).toEqual([1, []]);
  });

  it('stops within its time, and says so, though the worker of Temporal does not', async () => {
    await started();
    await handedOver();
    passTimers(22_000);
    temporal.silentAt = 'shutdown';
    await dispatcher.stop();
    expect(failures).toEqual([
      'connection: FailureError: dispatcher.temporal_silent: Temporal at temporal:7233 did not answer within 22 seconds.',
    ]);
    temporal.lose();
  });

  it('takes a turn for the activity, and answers when the next is due', async () => {
    const answers = [{ when: 'now' }, { when: 'never' }, { when: 'at', at: 0 }, { when: 'at', at: 1_060_000 }] as const;
    jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    let turn = 0;
    await started({ advance: () => Promise.resolve(answers[turn++] ?? { when: 'now' }) });
    await handedOver();
    expect(await temporal.turn(tenantId, runId, HERE)).toEqual({ next: 'now' });
    expect(await temporal.turn(tenantId, runId, HERE)).toEqual({ next: 'none' });
    expect(await temporal.turn(tenantId, runId, HERE)).toEqual({ next: 'later', inMs: 100 });
    expect(await temporal.turn(tenantId, runId, HERE)).toEqual({ next: 'later', inMs: 60_000 });
  });

  it('ends the workflow of a tenant that moved, whose runs another installation advances under the same id', async () => {
    const moved = new FailureError({ kind: 'unavailable', code: 'tenant.moved', message: 'It is served elsewhere.' });
    await started({ advance: () => Promise.reject(moved) });
    await handedOver();
    expect(await temporal.turn(tenantId, runId, HERE)).toEqual({ next: 'none' });
    expect(failures).toEqual([]);
  });

  it('tells Temporal of a failed turn that it failed, and no more', async () => {
    await started({ advance: () => Promise.reject(new Error('a secret')) });
    await handedOver();
    expect(await temporal.turn(tenantId, runId, HERE)).toEqual({ next: 'failed' });
    expect(failures).toEqual(['turn: Error: a secret']);
    expect(dispatcher.underWay).toBe(0);
  });

  it('goes on with a turn until the worker is full, and no longer than a few seconds', async () => {
    const turns: { readonly over: boolean }[] = [];
    const ends: (() => void)[] = [];
    await started({
      advance: (_tenant, _run, turn) => {
        turns.push(turn);
        return new Promise((resolve) =>
          ends.push(() => {
            resolve({ when: 'now' });
          }),
        );
      },
    });
    await handedOver();
    const [first, second] = [temporal.turn(tenantId, runId, HERE), temporal.turn(tenantId, newId(), HERE)];
    expect(turns.map(({ over }) => over)).toEqual([true, true]);
    ends[1]?.();
    await second;
    expect(turns[0]?.over).toBe(false);
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 6_000);
    expect(turns[0]?.over).toBe(true);
    now.mockRestore();
    expect(turns[0]?.over).toBe(false);
    const stopped = dispatcher.stop();
    expect(turns[0]?.over).toBe(true);
    ends[0]?.();
    expect(await first).toEqual({ next: 'now' });
    await stopped;
  });

  it('leaves the run of another installation to others, and says once that the queue is shared', async () => {
    const advanced: string[] = [];
    await started(
      {
        advance: (_tenant, run) => {
          advanced.push(run);
          return Promise.resolve({ when: 'never' });
        },
      },
      { taskQueue: 'runs' },
    );
    await handedOver();
    expect(temporal.signals[0]?.taskQueue).toBe('runs');
    const foreign = 'The run belongs to another installation.';
    await expect(temporal.turn(tenantId, runId, 'elsewhere')).rejects.toThrow(foreign);
    await expect(temporal.turn(tenantId, runId, 'elsewhere')).rejects.toThrow(foreign);
    expect(failures).toEqual([`queue: Error: ${foreign}`]);
    expect(advanced).toEqual([]);
  });

  it('takes no turn for an invalid id', async () => {
    const advanced: string[] = [];
    await started({
      advance: (_tenant, run) => {
        advanced.push(run);
        return Promise.resolve({ when: 'now' });
      },
    });
    await handedOver();
    expect(await temporal.turn(tenantId, "'; drop table run", HERE)).toEqual({ next: 'none' });
    expect(advanced).toEqual([]);
  });

  it('connects with the API key and the name of the server', async () => {
    await started({}, { apiKey: 'k', tls: { caFile: null, client: null, serverName: 'temporal.internal' } });
    await handedOver();
    expect(temporal.connections).toEqual([
      { address: 'temporal:7233', tls: { serverNameOverride: 'temporal.internal' }, apiKey: 'k' },
    ]);
  });

  it('refuses a file of TLS that cannot be read', async () => {
    const tls = { caFile: '/nowhere/ca.pem', client: null, serverName: null };
    await expect(started({}, { tls })).rejects.toThrow('start.wrong_setting: COUNTERSIGN_TEMPORAL_TLS_CA');
  });
});
