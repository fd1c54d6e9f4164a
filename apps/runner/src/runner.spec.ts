import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passedWaits } from '../../../test/support/passed-waits.js';
import type { AdvertisedMcpServer, GrantClaims, ToolCallResponse } from '#lib/formats';
import { CallJournal } from './call-journal.js';
import { PlaneError, type OfferedCall, type Plane } from './plane.js';
import { Runner } from './runner.js';

const ID = '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a';
const offered: OfferedCall = {
  id: ID,
  grant: 'g',
  request: { tool: 'write', tool_version: 1, arguments: {}, secrets: {}, idempotency_key: 'k' },
  answer_within_ms: 60_000,
};
const unreachable = (): PlaneError => new PlaneError('runner.unreachable', 'away', true);

/** Whether the time for the last reports is over at once. */
let reportsAreLost = false;
passedWaits((ms) => ms !== 5_000 || reportsAreLost);

let folder: string;
beforeEach(() => {
  reportsAreLost = false;
  folder = mkdtempSync(join(tmpdir(), 'countersign-runner-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const greeting = (...environments: readonly string[]) => ({ environments, endedSessions: ['s2'] });

/** A runner with a tool that counts its calls, and with Countersign as the test plays it. */
async function runnerOf(
  plays: Partial<Record<'take' | 'result' | 'hello' | 'goodbye', (...given: never[]) => Promise<unknown>>>,
  mcpServers: readonly AdvertisedMcpServer[] = [],
) {
  const journal = await CallJournal.open(folder);
  const stopping = new AbortController();
  const calls: string[] = [];
  const reported: ToolCallResponse[] = [];
  /** The sessions whose folders it removed. */
  const removed: string[] = [];
  const warned: (readonly [object, string])[] = [];
  /** The calls that it held at each goodbye. */
  const farewells: (readonly string[])[] = [];
  // A test plays some of it, with the parameters that it reads.
  const plane = {
    hello: () => Promise.resolve(greeting('production', 'staging')),
    output: () => Promise.resolve(),
    goodbye: () => {
      farewells.push(journal.held.map(({ id }) => id));
      return Promise.resolve();
    },
    take: (_held: readonly string[], signal: AbortSignal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(unreachable());
        });
      }),
    result: (_id: string, answer: ToolCallResponse) => {
      reported.push(answer);
      stopping.abort();
      return Promise.resolve();
    },
    ...plays,
  } as unknown as Plane;
  const tool = {
    name: 'write',
    parameters: {},
    reads: false,
    call: () => {
      calls.push('called');
      return Promise.resolve({ ok: true, result: {} } as const);
    },
  };
  const runner = new Runner({
    plane,
    journal,
    tools: new Map([['write', tool]]),
    mcp: { ...tool, name: 'mcp:' },
    mcpServers: () => mcpServers,
    sessions: {
      sessions: () => Promise.resolve(['s1', 's2']),
      remove: (ids) => {
        removed.push(...ids);
        return Promise.resolve();
      },
    },
    noWayBack: () => Promise.resolve('there are more than 7 bytes'),
    verify: () => Promise.resolve({ basis: 'approval' } as GrantClaims),
    atOnce: 2,
    worksIn: ['staging'],
    hooks: ['notify'],
    version: '1',
    log: { info: () => undefined, warn: (facts, message) => warned.push([facts, message]) },
  });
  return { warned, runner, journal, stopping, calls, reported, farewells, removed };
}

it('finishes the calls that it holds without Countersign, and reports them later', async () => {
  let takes = 0;
  let tries = 0;
  const world = await runnerOf({
    take: () => {
      takes += 1;
      return takes === 1 ? Promise.resolve(offered) : Promise.reject(unreachable());
    },
    result: (_id: string, answer: ToolCallResponse) => {
      tries += 1;
      if (tries < 3) return Promise.reject(unreachable());
      world.reported.push(answer);
      world.stopping.abort();
      return Promise.resolve();
    },
  });
  await world.runner.run(world.stopping.signal);
  expect(world.calls).toEqual(['called']);
  expect(world.reported).toEqual([{ ok: true, result: {} }]);
  expect(world.farewells).toEqual([[]]);
  expect((await CallJournal.open(folder)).held).toEqual([]);
}, 30_000);

it('tells Countersign its tools, environments and sessions, and that there is no way back', async () => {
  const told: unknown[][] = [];
  const world = await runnerOf({
    hello: (...said: readonly unknown[]) => {
      told.push([...said]);
      return Promise.resolve(greeting('staging'));
    },
    take: () => {
      world.stopping.abort();
      return Promise.resolve(null);
    },
  });
  await world.runner.run(world.stopping.signal);
  const tools = [{ name: 'write', parameters: {} }];
  expect(told).toEqual([
    [
      {
        version: '1',
        tools,
        worksIn: ['staging'],
        hooks: ['notify'],
        mcpServers: [],
        noWayBack: 'there are more than 7 bytes',
        sessions: ['s1', 's2'],
      },
    ],
  ]);
  expect(world.warned).toEqual([]);
  expect(world.removed).toEqual(['s2']);
}, 30_000);

it.each([
  [['development'], [{ environments: ['staging'] }, { environments: ['development'] }]],
  [['development', 'staging'], [{ environments: ['development'] }]],
])('says at its start that it was added for %j, and works in staging', async (addedFor, expected) => {
  const world = await runnerOf({
    hello: () => Promise.resolve(greeting(...addedFor)),
    take: () => {
      world.stopping.abort();
      return Promise.resolve(null);
    },
  });
  await world.runner.run(world.stopping.signal);
  expect(world.warned.map(([facts]) => facts)).toEqual(expected);
  expect(world.warned.at(-1)?.[1]).toContain('COUNTERSIGN_RUNNER_ENVIRONMENTS does not name');
});

it('T54: takes calls also if Countersign refuses the words of one of its MCP servers', async () => {
  const told: (readonly AdvertisedMcpServer[])[] = [];
  let takes = 0;
  const plays = {
    hello: ({ mcpServers }: { readonly mcpServers: readonly AdvertisedMcpServer[] }) => {
      told.push(mcpServers);
      return mcpServers.some(({ problem }) => problem === 'lies')
        ? Promise.reject(new PlaneError('request.invalid', 'too long', false))
        : Promise.resolve(greeting('staging'));
    },
    take: () => {
      takes += 1;
      if (takes === 2) world.stopping.abort();
      return Promise.resolve(null);
    },
  };
  const world = await runnerOf(plays, [{ name: 'liar', problem: 'lies', tools: [] }]);
  await world.runner.run(world.stopping.signal);
  expect(takes).toBe(2);
  expect(told.map(([server]) => server?.problem)).toEqual([
    'lies',
    expect.stringContaining('Countersign refused the definitions'),
  ]);
  expect(world.warned.map(([facts]) => facts)).toMatchObject([{ code: 'request.invalid' }]);
});

it('reports the answer of a call that its journal cannot take', async () => {
  reportsAreLost = true;
  const world = await runnerOf({ take: () => Promise.resolve(offered) });
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  await world.runner.run(world.stopping.signal);
  expect(world.calls).toEqual([]);
  expect(world.reported[0]).toMatchObject({ effect: 'not_started', error: { code: 'runner.journal_unwritable' } });
  expect(world.warned).toContainEqual([expect.objectContaining({ call_id: ID }), expect.stringContaining('journal')]);
});

it('starts a call once that is offered twice', async () => {
  reportsAreLost = true;
  let takes = 0;
  const world = await runnerOf({
    take: () => {
      takes += 1;
      if (takes === 2) world.stopping.abort();
      return Promise.resolve(offered);
    },
    result: () => Promise.reject(unreachable()),
  });
  await world.runner.run(world.stopping.signal);
  expect(world.calls).toEqual(['called']);
  expect((await CallJournal.open(folder)).held).toMatchObject([{ id: ID, state: 'ended' }]);
}, 30_000);

it('reports a call of a process before as unknown, and never starts it again', async () => {
  const before = await CallJournal.open(folder);
  await before.write({ id: ID, tool: 'write', reads: false, state: 'started', answer: null });
  const world = await runnerOf({});
  await world.runner.run(world.stopping.signal);
  expect(world.reported).toMatchObject([{ ok: false, effect: 'unknown', error: { code: 'runner.died' } }]);
  expect(world.calls).toEqual([]);
});

it('ends once it is revoked, and tells so', async () => {
  const world = await runnerOf({ hello: () => Promise.reject(new PlaneError('runner.revoked', 'revoked', false)) });
  await world.runner.run(world.stopping.signal);
  expect(world.runner.revoked.aborted).toBe(true);
  expect(world.farewells).toEqual([]);
});

it('ends without Countersign, too', async () => {
  const world = await runnerOf({
    goodbye: () => {
      world.farewells.push([]);
      return Promise.reject(unreachable());
    },
  });
  const running = world.runner.run(world.stopping.signal);
  world.stopping.abort();
  await running;
  expect(world.farewells).toEqual([[]]);
});
