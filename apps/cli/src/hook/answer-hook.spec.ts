import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf } from '#lib/kernel';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Io } from '../io.js';
import { answerHook, type HookWorld } from './answer-hook.js';
import { deadlineIn } from './deadline.js';
import { besideToolCallServer, ID, PENDING_CALL, type Answers } from './fake-tool-call-server.js';
import { claudeCode } from './hosts/claude-code.js';

const home = mkdtempSync(join(tmpdir(), 'countersign-answer-'));
afterAll(() => {
  rmSync(home, { recursive: true });
});

interface Asking {
  readonly access: HookWorld['access'];
  readonly options?: Partial<HookWorld['options']>;
  readonly stopped?: AbortSignal;
  /** How long people are waited for. */
  readonly askingMs?: number;
}

/** Asks about a call without any settings. */
async function answered({ access, options, stopped = new AbortController().signal, askingMs = 5_000 }: Asking) {
  const deadlines = { asking: deadlineIn(askingMs), all: deadlineIn(6_000) };
  // The hook reads the environment alone, and writes nothing.
  const io = { environment: { XDG_CONFIG_HOME: home }, err: () => undefined } as unknown as Io;
  const call = {
    ...{ hostSession: 's', id: 'c', turn: null, tool: 'Bash', directory: home, input: { command: 'ls' } },
  };
  try {
    return await answerHook(
      { kind: 'asks', event: 'PreToolUse', call },
      { host: claudeCode, options: { wait: 5, ...options }, io, access, deadlines, stopped },
    );
  } finally {
    deadlines.asking.lift();
    deadlines.all.lift();
  }
}

const deniedWith = (code: string) => ({
  verdict: 'deny',
  message: expect.stringContaining(`(${code})`) as string,
});

const throwing = (error: Error) => () => {
  throw error;
};
const noCredential = new CommandError(EXIT.usage, 'There is no token.', 'Sign in.', [], 'cli.no_credential');

it.each([
  ['no environment is named', {}, throwing(new Error('unused')), 'hook.no_environment'],
  ['it has no credential', { environment: 'staging' }, throwing(noCredential), 'cli.no_credential'],
  ['it fails', { environment: 'staging' }, throwing(new Error('broken')), 'hook.failed'],
])('a hook denies the call if %s', async (_what, options, access, code) => {
  expect(await answered({ options, access })).toEqual(deniedWith(code));
});

const SUBMIT = `POST /v1/sessions/${ID}/tool-calls`;
const CANCEL = `POST /v1/tool-calls/${ID}/cancel`;
const RESULT = `POST /v1/tool-calls/${ID}/result`;
const to = (baseUrl: string) => () => ({ baseUrl, token: 't', allowPlainHttp: false });

it.each<[string, Answers]>([
  ['Countersign is silent from then on', {}],
  ['it is still pending', { [CANCEL]: [200, PENDING_CALL] }],
])('a hook says that a call without an answer could not be taken back if %s', async (_what, then) => {
  const asked = besideToolCallServer({ [SUBMIT]: [201, PENDING_CALL], ...then }, (baseUrl) =>
    answered({ options: { session: ID }, access: to(baseUrl), askingMs: 1_000 }),
  );
  expect(await asked).toEqual(deniedWith('hook.not_taken_back'));
});

it('a hook that its host stopped denies a call that was allowed meanwhile, and reports that it was not started', async () => {
  const host = new AbortController();
  const digest = digestOf('arguments', { command: 'ls' });
  const allowed = {
    ...PENDING_CALL,
    outcome: 'executing',
    answered_by: 'agent',
    grant: 'a.b.c',
    arguments_digest: digest,
  };
  const reports: unknown[] = [];
  const asked = besideToolCallServer(
    { [SUBMIT]: [201, allowed] },
    (baseUrl) => answered({ options: { session: ID }, access: to(baseUrl), stopped: host.signal }),
    (request, body) => {
      if (request === SUBMIT) host.abort();
      if (request === RESULT) reports.push(JSON.parse(body));
    },
  );
  expect(await asked).toEqual(deniedWith('hook.stopped'));
  expect(reports).toMatchObject([{ jti: ID, arguments_digest: digest, outcome: 'failed', effect: 'not_started' }]);
});
