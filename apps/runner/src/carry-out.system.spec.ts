import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GrantClaims } from '#lib/formats';
import { createWorkspace, DEFAULT_LIMITS, Snapshots, Turns } from '#lib/workspace';
import { CallJournal } from './call-journal.js';
import { carryOut } from './carry-out.js';
import type { OfferedCall } from './plane.js';
import type { ServedTool } from './served-tool.js';

const base = mkdtempSync(join(tmpdir(), 'countersign-carry-'));
const root = join(base, 'root');
mkdirSync(root);
afterAll(() => {
  rmSync(base, { recursive: true });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const workspace = createWorkspace({
  snapshots: new Snapshots(join(base, 'snapshots')),
  turns: new Turns(),
  guardedFetch: () => Promise.reject(new Error('no tool fetches')),
  programs: {
    path: process.env.PATH ?? '',
    home: base,
    scriptSeconds: 120,
    sandbox: { kind: 'open', reason: 'a test', hidden: [], hiddenFiles: [] },
  },
  checks: ['test'],
  author: { name: 'Test', email: 'test@example.org' },
  platform: 'linux',
});
const tools = new Map(
  [...workspace.values()].map(({ name, document, call }): [string, ServedTool] => [
    name,
    {
      name,
      parameters: {},
      reads: document.effect === 'read',
      call: (given, { signal, output, secretsToMask }) =>
        call({ root, signal, output, limits: DEFAULT_LIMITS, secretsToMask }, given),
    },
  ]),
);

/** The answer of a call that reaches its time limit as soon as its script has written something. The script ends with its workspace. */
async function answerOfLate(tool: string, given: OfferedCall['request']['arguments']) {
  writeFileSync(join(root, 'waiting'), '');
  const scripts = { test: 'echo begun; while test -e waiting; do sleep 0.05; done' };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts }));
  const time = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(time.signal);
  const journal = await CallJournal.open(mkdtempSync(join(base, 'journal-')));
  const parts = {
    journal,
    tools,
    mcp: { name: 'mcp:', parameters: {}, reads: false, call: () => Promise.reject(new Error('no server is called')) },
    verify: () => Promise.resolve({ basis: 'approval' } as GrantClaims),
    plane: {
      output: () => {
        time.abort(new DOMException('The time of the call is over.', 'TimeoutError'));
        return Promise.resolve();
      },
    },
  };
  const request = { tool, tool_version: 1, arguments: given, secrets: {}, idempotency_key: 'k' };
  const offered = { id: '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a', grant: 'a.signed.grant', request };
  await carryOut(parts, { ...offered, answer_within_ms: 120_000 }, new AbortController().signal);
  rmSync(join(root, 'waiting'));
  return journal.held[0]?.answer;
}

describe('a call that reaches its time limit', () => {
  it('answers with the output of its script so far', async () => {
    expect(await answerOfLate('test-run', {})).toEqual({
      ok: true,
      result: { script: 'test', passed: false, exit_code: null, timed_out: true, output: 'begun\n', truncated: false },
    });
  });

  it('answers with its snapshot while checks after its write are under way', async () => {
    expect(await answerOfLate('file-write', { path: 'made', content: 'x' })).toMatchObject({
      ok: true,
      result: { snapshot: expect.any(String) as string, checks: [{ script: 'test', passed: false, timed_out: true }] },
    });
  });
});
