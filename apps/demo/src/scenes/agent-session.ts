import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DemoBrowser } from '../browser.js';
import type { Laptop } from '../laptop.js';
import { PEOPLE } from '../people.js';
import type { Processes } from '../processes.js';
import { OffScriptError, until, type Stage } from '../stage.js';

/** The folders of the scene, and Countersign's address. */
export interface LaptopSetting {
  /** The package itself. */
  readonly root: string;
  /** A folder of the demo's own. */
  readonly data: string;
  readonly example: string;
  readonly api: string;
  readonly tenant: string;
}

/** Dev's answers, in the order of the calls that wait. */
const ANSWERS = [
  { verdict: 'approve', comment: 'try it' },
  { verdict: 'approve', comment: 'yes, go back' },
  { verdict: 'reject', comment: 'releases do not come from a laptop' },
] as const;

/** The example agent lives through a session on Dev's laptop. @returns the page of the session. */
export async function liveThroughSession(
  stage: Stage,
  processes: Processes,
  laptop: Laptop,
  setting: LaptopSetting,
): Promise<string> {
  const { narrator, cast } = stage;
  narrator.scene('An agent works on Dev’s laptop, call by call');
  const folder = join(setting.data, 'laptop');
  cpSync(setting.example, folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(setting.root, join(folder, 'node_modules/countersign'));
  writeFileSync(join(folder, 'agent.token'), laptop.bot.token, { mode: 0o600 });
  startRunner(processes, laptop, setting, folder);
  await narrator.during(
    'starting a runner on the laptop',
    until(
      'the runner',
      () => cast.ada.client.get('/v1/runners'),
      ({ items }) => items.some(({ state }) => state === 'online'),
    ),
  );
  const browser = new DemoBrowser(setting.api);
  await browser.signIn(setting.tenant, PEOPLE.dev.sub);

  const agent = spawn(process.execPath, ['agent.mjs'], {
    cwd: folder,
    env: { COUNTERSIGN_URL: setting.api, COUNTERSIGN_TOKEN_FILE: 'agent.token' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Node gives the exit code of a process with this event.
  const ended = once(agent, 'exit') as Promise<[number | null]>;
  let page = '';
  let answering = Promise.resolve();
  for await (const line of createInterface(agent.stdout)) {
    const found = /http\S+\/sessions\/(\S+)/.exec(line);
    if (found === null) tell(stage, laptop.bot.name, line);
    else {
      [page] = found;
      answering = answerCalls(stage, browser, found[1] ?? '');
    }
  }
  const [code] = await ended;
  if (code !== 0) throw new OffScriptError(`${laptop.bot.name} ended with ${String(code)}`);
  await answering;
  return page;
}

function startRunner(
  processes: Processes,
  { runnerToken }: Laptop,
  { api, data }: LaptopSetting,
  folder: string,
): void {
  const tokenFile = join(folder, 'runner-token');
  writeFileSync(tokenFile, runnerToken, { mode: 0o600 });
  processes.start('runner', 'dist/programs/runner/main.js', [], {
    COUNTERSIGN_URL: api,
    COUNTERSIGN_RUNNER_ROOT: join(folder, 'workspace'),
    COUNTERSIGN_RUNNER_DATA: join(data, 'runner'),
    COUNTERSIGN_RUNNER_ENVIRONMENTS: 'development',
    COUNTERSIGN_RUNNER_TOKEN_FILE: tokenFile,
    // A laptop may have no bubblewrap; this agent follows a script.
    COUNTERSIGN_RUNNER_SANDBOX: 'where_possible',
    COUNTERSIGN_RUNNER_PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
  });
}

/** The agent's own lines: calls stand at the margin, and their outcome is indented. */
function tell({ narrator }: Stage, name: string, line: string): void {
  if (line.startsWith('  denied') || line.includes(' fails: ')) narrator.no(line.trim());
  else if (line === '  succeeded') narrator.yes('executed on the laptop');
  else if (line.startsWith('  ')) narrator.say(line.trim());
  else if (line.includes('{')) narrator.act(name, line);
}

/** Dev reads each call that waits, and answers it as a page does. */
async function answerCalls({ cast: { dev }, narrator }: Stage, browser: DemoBrowser, session: string): Promise<void> {
  const answered = new Set<string>();
  for (const { verdict, comment } of ANSWERS) {
    const { items } = await until(
      'a call that waits',
      () => dev.client.get('/v1/sessions/{id}/tool-calls', { path: { id: session } }),
      (page) => page.items.some((call) => waits(call, answered)),
    );
    const id = items.find((call) => waits(call, answered))?.request_id ?? '';
    answered.add(id);
    narrator.act('Dev', `${verdict}s it in the browser: ${comment}`);
    const { subject } = await dev.client.get('/v1/approval-requests/{id}', { path: { id } });
    await browser.api.post('/v1/approval-requests/{id}/reviews', {
      path: { id },
      body: { verdict, comment, subject_digest: subject.digest },
    });
  }
}

const waits = (
  { state, request_id: request }: { readonly state: string; readonly request_id: string | null },
  answered: ReadonlySet<string>,
): boolean => state === 'pending' && request !== null && !answered.has(request);
