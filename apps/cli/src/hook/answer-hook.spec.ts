import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Io } from '../io.js';
import { answerHook, type HookWorld } from './answer-hook.js';
import { deadlineIn } from './deadline.js';
import { claudeCode } from './hosts/claude-code.js';

const home = mkdtempSync(join(tmpdir(), 'countersign-answer-'));
afterAll(() => {
  rmSync(home, { recursive: true });
});

/** Asks about a call without any settings. */
async function answered(options: Partial<HookWorld['options']>, access: HookWorld['access']) {
  const deadlines = { asking: deadlineIn(5_000), all: deadlineIn(6_000) };
  // The hook reads the environment alone, and writes nothing.
  const io = { environment: { XDG_CONFIG_HOME: home }, err: () => undefined } as unknown as Io;
  const call = {
    ...{ hostSession: 's', id: 'c', turn: null, tool: 'Bash', directory: home, input: { command: 'ls' } },
  };
  try {
    return await answerHook(
      { kind: 'asks', event: 'PreToolUse', call },
      {
        host: claudeCode,
        options: { wait: 5, ...options },
        io,
        access,
        deadlines,
        stopped: new AbortController().signal,
      },
    );
  } finally {
    deadlines.asking.lift();
    deadlines.all.lift();
  }
}

const throwing = (error: Error) => () => {
  throw error;
};
const noCredential = new CommandError(EXIT.usage, 'There is no token.', 'Sign in.', [], 'cli.no_credential');

it.each([
  ['no environment is named', {}, throwing(new Error('unused')), 'hook.no_environment'],
  ['it has no credential', { environment: 'staging' }, throwing(noCredential), 'cli.no_credential'],
  ['it fails', { environment: 'staging' }, throwing(new Error('broken')), 'hook.failed'],
])('a hook denies the call if %s', async (_what, options, access, code) => {
  expect(await answered(options, access)).toEqual({
    verdict: 'deny',
    message: expect.stringContaining(`(${code})`) as string,
  });
});
