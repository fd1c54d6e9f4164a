import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '#lib/database';
import { newId, type TenantId } from '#lib/kernel';
import { FakeTemporal } from '../application/fake-temporal.js';
import { TemporalDispatcher, WORKFLOW_FILE } from '../index.js';

/** The sandbox of a workflow, which Temporal has and the product does not install. */
const mockSandbox = {
  handlers: new Map<string, () => void>(),
  /** The ids of each turn, and the answers of the turns to come. */
  turns: [] as (readonly string[])[],
  answers: [] as (() => unknown)[],
  /** In milliseconds. */
  waits: [] as number[],
  historyLength: 0,
  continuedWith: null as readonly string[] | null,
};
jest.mock(
  '@temporalio/workflow',
  () => ({
    proxyActivities: () => ({
      advance: (...ids: readonly string[]) => {
        mockSandbox.turns.push(ids);
        return Promise.resolve(mockSandbox.answers.shift()?.());
      },
    }),
    defineSignal: (name: string) => ({ name }),
    setHandler: ({ name }: { readonly name: string }, handler: () => void) => mockSandbox.handlers.set(name, handler),
    condition: (_test: () => boolean, ms: number) => Promise.resolve(mockSandbox.waits.push(ms)),
    continueAsNew: (...input: readonly string[]) => {
      mockSandbox.continuedWith = input;
    },
    workflowInfo: () => ({ historyLength: mockSandbox.historyLength, continueAsNewSuggested: false }),
  }),
  { virtual: true },
);

/** The source of the file that workers give to Temporal. */
const source = join(packageRoot(), WORKFLOW_FILE.replace(/^dist\//, '').replace(/\.js$/, '.ts'));

type Workflow = (tenantId: string, runId: string, installation: string) => Promise<void>;
// Temporal calls a workflow by its name.
const workflows = jest.requireActual<Readonly<Record<string, Workflow>>>(source);

const tenantId = newId<TenantId>();
const ids = [tenantId, newId(), 'here'] as const;

/** @returns the names by which a dispatcher starts a workflow, and wakes it. */
async function namesOfDispatcher(): Promise<{ readonly workflow: string; readonly signal: string }> {
  const temporal = new FakeTemporal();
  const dispatcher = await TemporalDispatcher.create(
    {
      address: 'temporal:7233',
      namespace: 'countersign',
      taskQueue: null,
      weights: new Map(),
      tls: null,
      apiKey: null,
    },
    {
      installation: 'here',
      advance: () => Promise.resolve({ when: 'never' }),
      slugOf: () => Promise.resolve('acme'),
      atOnce: 1,
      workflowFile: WORKFLOW_FILE,
      onFailure: () => undefined,
      onRecovery: () => undefined,
      log: () => undefined,
      packages: temporal.packages,
    },
  );
  dispatcher.start();
  for (const deadline = performance.now() + 10_000; temporal.signals.length === 0;) {
    if (performance.now() > deadline) throw new Error('there is no connection');
    await dispatcher.handOver(tenantId, ids[1], true);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await dispatcher.stop();
  const [{ workflow, signal } = { workflow: '', signal: '' }] = temporal.signals;
  return { workflow, signal };
}

/** The packages that a program imports, itself or by its own files. */
function importsOf(file: string): readonly string[] {
  const names = [
    ...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^;']* from )?'([^']+)'/gm),
  ].map(([, name = '']) => name);
  return names.flatMap((name) =>
    name.startsWith('.') ? importsOf(join(dirname(file), name.replace(/\.js$/, '.ts'))) : [name],
  );
}

const none = () => ({ next: 'none' });

describe('the program of the workflow', () => {
  beforeEach(() => {
    mockSandbox.handlers.clear();
    Object.assign(mockSandbox, { turns: [], waits: [], historyLength: 0, continuedWith: null });
  });

  it('has the names by which a dispatcher starts it and wakes it', async () => {
    const { workflow, signal } = await namesOfDispatcher();
    mockSandbox.answers = [none];
    await workflows[workflow]?.(...ids);
    expect({ workflow, signals: [...mockSandbox.handlers.keys()] }).toEqual({
      workflow: 'countersignRun',
      signals: [signal],
    });
  });

  it('imports nothing that the sandbox of Temporal lacks', () => {
    expect(importsOf(source)).toEqual(['@temporalio/workflow']);
  });

  it('takes turns of its run until none is due, with a wait between two', async () => {
    mockSandbox.answers = [() => ({ next: 'later', inMs: 700 }), none];
    await workflows.countersignRun?.(...ids);
    expect(mockSandbox.turns).toEqual([ids, ids]);
    expect(mockSandbox.waits).toEqual([700]);
  });

  it('takes another turn if a wake comes during the last', async () => {
    mockSandbox.answers = [
      () => {
        mockSandbox.handlers.get('wake')?.();
        return none();
      },
      none,
    ];
    await workflows.countersignRun?.(...ids);
    expect(mockSandbox.turns).toHaveLength(2);
  });

  it('goes on in a new history with the same ids once its own is long', async () => {
    mockSandbox.historyLength = 2_000;
    await workflows.countersignRun?.(...ids);
    expect(mockSandbox.continuedWith).toEqual(ids);
    expect(mockSandbox.turns).toEqual([]);
  });
});
