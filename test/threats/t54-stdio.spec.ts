import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTILE_SERVER, stdioMcp, type StdioMcp } from '../support/stdio-mcp.js';
import { until } from '../support/until.js';

jest.setTimeout(60_000);

interface Answered {
  readonly result: { readonly content: readonly { readonly text: string }[] };
}

let world: StdioMcp;
beforeEach(() => {
  world = stdioMcp();
});
afterEach(() => {
  world.close();
});

async function called(mode: string, at = world, timeLimitSeconds = 20) {
  const servers = await at.looked({
    name: 'hostile',
    arguments: [HOSTILE_SERVER, mode, at.mark],
    timeLimitSeconds,
  });
  const digest = servers.advertised[0]?.tools[0]?.digest ?? '';
  return servers.call({
    wanted: { server: 'hostile', tool: 'act', digest },
    given: {},
    signal: AbortSignal.timeout(30_000),
    secretsToMask: [],
  });
}

/** Servers that take seconds to end, each with a folder of its own. They end at the same time, while other tests run. */
const slow = new Map<string, { readonly at: StdioMcp; readonly answer: Promise<unknown> }>();
beforeAll(() => {
  for (const mode of ['silent', 'children', 'daemon']) {
    const at = stdioMcp();
    const answer = called(mode, at, mode === 'silent' ? 5 : undefined);
    answer.catch(() => undefined); // Its test tells of it.
    slow.set(mode, { at, answer });
  }
});
afterAll(async () => {
  await Promise.allSettled([...slow.values()].map(({ answer }) => answer));
  for (const { at } of slow.values()) at.close();
});
const slowly = (mode: string) => {
  const found = slow.get(mode);
  if (found === undefined) throw new Error(`no server was started that is ${mode}`);
  return found;
};

const calls = (): number => world.marks().filter((line) => line === 'called').length;

it('T54: a server on a runner that changes a definition after the look is not called', async () => {
  expect(await called('changes')).toMatchObject({
    effect: 'not_started',
    error: { code: 'mcp.definition_changed' },
  });
  expect(calls()).toBe(0);
});

it.each([
  ['answers with a message that is too long', 'huge', 'dispatch.bad_answer'],
  ['writes without end and without a newline', 'endless', 'dispatch.bad_answer'],
  ['writes messages without end', 'chatty', 'dispatch.bad_answer'],
  ['writes something that is no JSON', 'invalid', 'dispatch.bad_answer'],
  ['answers with more tools than anybody could judge', 'lists', 'mcp.too_many_tools'],
  ['ends in the call', 'exits', 'dispatch.connection_lost'],
])('T54: a server on a runner that %s leaves an unknown effect', async (_what, mode, code) => {
  expect(await called(mode)).toMatchObject({ ok: false, effect: 'unknown', error: { code } });
  expect(calls()).toBe(1);
});

it('T54: a server on a runner that stays silent is ended with its time limit', async () => {
  expect(await slowly('silent').answer).toMatchObject({ effect: 'unknown', error: { code: 'dispatch.timed_out' } });
});

it('T54: a server on a runner gets no sampling, elicitation or roots', async () => {
  const end = (await called('asks')) as unknown as Answered;
  const answers = JSON.parse(end.result.content[0]?.text ?? '') as [string, number][];
  expect(answers.toSorted()).toEqual([
    ['a', -32601],
    ['b', -32601],
    ['c', -32601],
  ]);
});

it('T54: the error output of a server on a runner stops nothing', async () => {
  expect(await called('stderr')).toMatchObject({ ok: true });
});

const childOf = (at: StdioMcp): number =>
  Number(
    at
      .marks()
      .find((line) => line.startsWith('child '))
      ?.slice('child '.length),
  );

it.each([
  ['end with it', 'children'],
  ['in a session of their own end with it', 'daemon'],
])('T54: the children of a server on a runner %s', async (_what, mode) => {
  const { at, answer } = slowly(mode);
  expect(await answer).toMatchObject({ ok: true });
  const pid = childOf(at);
  expect(pid).toBeGreaterThan(1);
  await until(() => Promise.resolve(isGone(pid) ? true : null));
});

it('T54: a look ends with a server that leaves a child with its pipes', async () => {
  const daemon = `setsid sh -c 'echo "child $$" >> ${world.mark}; exec sleep 300' &`;
  const script = `touch ${world.mark}; ${daemon} until grep -q child ${world.mark}; do sleep 0.01; done`;
  const servers = await world.looked({ name: 'hostile', program: '/bin/sh', arguments: ['-c', script] });
  expect(servers.advertised).toMatchObject([{ problem: expect.stringContaining('it ended') as string }]);
  const pid = childOf(world);
  expect(pid).toBeGreaterThan(1);
  await until(() => Promise.resolve(isGone(pid) ? true : null));
});

it('T54: an answer of a runner’s server stands if its home cannot be removed, and the next start is refused', async () => {
  expect(await called('homeless')).toMatchObject({ ok: true });
  expect(world.warned).toHaveLength(1);
  const again = await world.looked({ name: 'hostile', arguments: [HOSTILE_SERVER, 'plain', world.mark] });
  expect(again.advertised).toMatchObject([{ problem: 'The MCP server hostile cannot be started.' }]);
});

it.each([0, ...Array.from({ length: 8 }, (_, at) => 238 + at)])(
  'T54: a server on a runner says nothing that Countersign cannot store, with %i characters before it',
  async (fill) => {
    const servers = await world.looked({
      ...{ name: 'liar', arguments: [HOSTILE_SERVER, 'lies', world.mark], environment: { FILL: String(fill) } },
    });
    const [problem = ''] = servers.advertised.map((each) => each.problem ?? '');
    expect(problem).toContain('a'.repeat(fill));
    expect(problem.length).toBeLessThanOrEqual(300);
    expect([problem.isWellFormed(), problem.includes('\0')]).toEqual([true, false]);
  },
);

it('T54: a server on a runner with more bytes of definitions than Countersign reads is not advertised with them', async () => {
  const servers = await world.looked({ name: 'wide', arguments: [HOSTILE_SERVER, 'wide', world.mark] });
  expect(servers.advertised).toMatchObject([{ problem: expect.stringContaining('500000 bytes') as string, tools: [] }]);
});

it('T53: a server on a runner does not start with a file that a tool has put into the workspace', async () => {
  const served = join(world.root, 'served');
  mkdirSync(served);
  const servers = await world.looked({ name: 'lured', arguments: [HOSTILE_SERVER, 'plain', world.mark, served] });
  const digest = servers.advertised[0]?.tools[0]?.digest ?? '';
  rmSync(served, { recursive: true });
  writeFileSync(served, '');
  const wanted = { server: 'lured', tool: 'act', digest };
  const starts = world.marks().length;
  expect(
    await servers.call({ wanted, given: {}, signal: AbortSignal.timeout(30_000), secretsToMask: [] }),
  ).toMatchObject({
    effect: 'not_started',
    error: { code: 'dispatch.unreachable', message: expect.stringContaining('code from the workspace') as string },
  });
  await servers.look();
  expect(servers.advertised).toMatchObject([
    { problem: expect.stringContaining('code from the workspace') as string, tools: [] },
  ]);
  expect(world.marks()).toHaveLength(starts);
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
