import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GrantClaims } from '#lib/formats';
import { GrantError } from '#lib/sdk';
import type { ToolOutcome } from '#lib/workspace';
import { CallJournal } from './call-journal.js';
import { carryOut, type CarryOutParts } from './carry-out.js';
import type { OfferedCall, OutputChunk } from './plane.js';
import type { ServedTool } from './served-tool.js';

const never = new AbortController().signal;
const offered: OfferedCall = {
  id: '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a',
  grant: 'a.signed.grant',
  request: {
    tool: 'write',
    tool_version: 1,
    arguments: { to: { $secret: 'db@1' } },
    secrets: { 'db@1': 'hunter22' },
    idempotency_key: 'k',
  },
  answer_within_ms: 60_000,
};

let folder: string;
let journal: CallJournal;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-carry-'));
  journal = await CallJournal.open(folder);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A runner with one tool. Keeps what the tool was called with, and the output that was sent. */
function runnerWith(call: ServedTool['call'], changes: Partial<CarryOutParts> = {}) {
  const sent: [number, readonly OutputChunk[]][] = [];
  const parts: CarryOutParts = {
    journal,
    tools: new Map([['write', { name: 'write', parameters: {}, reads: false, call }]]),
    mcp: { name: 'mcp:', parameters: {}, reads: false, call: unused },
    verify: () => Promise.resolve({ basis: 'approval' } as GrantClaims),
    plane: {
      output: (_id, first, chunks) => {
        sent.push([first, chunks]);
        return Promise.resolve();
      },
    },
    ...changes,
  };
  return { parts, sent };
}
/** A file stands where its folder stood. */
function loseJournal(): void {
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
}
const unused: ServedTool['call'] = () => Promise.reject(new Error('nothing may start'));
const ended = () => journal.held.map(({ state, answer }) => ({ state, answer }));

it('calls the tool with the secrets of the call, and keeps its answer', async () => {
  const seen: unknown[] = [];
  const { parts, sent } = runnerWith((given, { secretsToMask, output }) => {
    seen.push(given, secretsToMask, journal.held[0]?.state);
    output({ stream: 'stdout', text: 'one\u0000' });
    return Promise.resolve({ ok: true, result: { name: 'a\u0000b' } });
  });
  await carryOut(parts, offered, never);
  expect(seen).toEqual([{ to: 'hunter22' }, ['hunter22'], 'started']);
  expect(ended()).toEqual([{ state: 'ended', answer: { ok: true, result: { name: 'a\uFFFDb' } } }]);
  expect(sent).toEqual([[1, [{ stream: 'stdout', text: 'one\uFFFD' }]]]);
});

it.each([
  [false, 'unknown'],
  [true, 'not_started'],
])('says of a used grant, for a tool that only reads (%s): %s', async (reads, effect) => {
  const verify = () => Promise.reject(new GrantError('grant.already_redeemed', 'used before'));
  const tools = new Map([['write', { name: 'write', parameters: {}, reads, call: unused }]]);
  await carryOut(runnerWith(unused, { verify, tools }).parts, offered, never);
  expect(ended()).toMatchObject([{ answer: { ok: false, effect, error: { code: 'grant.already_redeemed' } } }]);
});

it.each<[string, Partial<CarryOutParts>, Partial<OfferedCall>, string]>([
  [
    'its grant is refused',
    { verify: () => Promise.reject(new GrantError('grant.wrong_environment', 'elsewhere')) },
    {},
    'grant.wrong_environment',
  ],
  ['its grant cannot be read', { verify: () => Promise.reject(new Error('no keys')) }, {}, 'grant.invalid'],
  ['there is no such tool', { tools: new Map() }, {}, 'runner.no_such_tool'],
])('starts nothing if %s', async (_what, changes, of, code) => {
  await carryOut(runnerWith(unused, changes).parts, { ...offered, ...of }, never);
  expect(ended()).toMatchObject([{ state: 'ended', answer: { ok: false, effect: 'not_started', error: { code } } }]);
});

it('starts nothing after the runner was revoked', async () => {
  await carryOut(runnerWith(unused).parts, offered, AbortSignal.abort());
  expect(ended()).toMatchObject([{ answer: { effect: 'not_started', error: { code: 'runner.too_late' } } }]);
});

it('starts nothing without a journal, and says so', async () => {
  loseJournal();
  await expect(carryOut(runnerWith(unused).parts, offered, never)).rejects.toThrow(folder);
  const answer = { ok: false, effect: 'not_started', error: { code: 'runner.journal_unwritable' } };
  expect(ended()).toMatchObject([{ state: 'ended', answer }]);
});

it('holds the answer of a call in memory if its journal is lost meanwhile', async () => {
  const { parts } = runnerWith(() => {
    loseJournal();
    return Promise.resolve({ ok: true, result: { done: 1 } });
  });
  await expect(carryOut(parts, offered, never)).rejects.toThrow(folder);
  expect(ended()).toEqual([{ state: 'ended', answer: { ok: true, result: { done: 1 } } }]);
});

it.each([
  [60_000, 59_000],
  [500, 450],
])('ends a call of %d ms after %d ms, so that its answer counts', async (answer_within_ms, ms) => {
  const timeout = jest.spyOn(AbortSignal, 'timeout');
  await carryOut(
    runnerWith(() => Promise.resolve({ ok: true, result: {} })).parts,
    { ...offered, answer_within_ms },
    never,
  );
  expect(timeout.mock.calls).toContainEqual([ms]);
  timeout.mockRestore();
});

it('does not know the effect of a tool that throws', async () => {
  await carryOut(runnerWith(() => Promise.reject(new Error('a bug'))).parts, offered, never);
  expect(ended()).toMatchObject([{ answer: { ok: false, effect: 'unknown', error: { code: 'runner.failed' } } }]);
});

it('says that a result is too large to send, and that the call was done', async () => {
  const result: ToolOutcome = { ok: true, result: { text: 'x'.repeat(1_000_000) } };
  await carryOut(runnerWith(() => Promise.resolve(result)).parts, offered, never);
  expect(ended()).toMatchObject([{ answer: { effect: 'done', error: { code: 'runner.result_too_large' } } }]);
});
