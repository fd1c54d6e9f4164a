import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { formatNoteKey } from '#lib/verifier';
import { runCommandLine } from './command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'countersign-command-line-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const kept = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const run = (...argv: string[]): Promise<{ exitCode: number; out: string; err: string }> => runWith('', ...argv);

async function runWith(input: string, ...argv: string[]): Promise<{ exitCode: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const exitCode = await runCommandLine(argv, {
    environment: { COUNTERSIGN_TOKEN: 'cst_token' },
    out: (text) => (out += text),
    err: (text) => (err += text),
    readLine: () => Promise.resolve(null),
    readAll: () => Promise.resolve(''),
    pieces: () => Readable.from([Buffer.from(input)]),
    replay: () => Promise.resolve(null),
  });
  return { exitCode, out: stripVTControlCharacters(out), err: stripVTControlCharacters(err) };
}

/** The document that a program reads after a wrong command line: one JSON document, with the action to take. */
async function refusal(...argv: string[]): Promise<{ code: string; message: string; action: string }> {
  const { exitCode, out, err } = await run('--json', ...argv);
  expect([exitCode, out]).toEqual([2, '']);
  return (JSON.parse(err) as { error: { code: string; message: string; action: string } }).error;
}

const twoCatalogs = mkdtempSync(join(folder, 'catalogs-'));
for (const name of ['tools.yaml', 'more.yaml']) writeFileSync(join(twoCatalogs, name), 'tools: {}');

/** A directory in which the autonomy document is a dead link. */
const torn = mkdtempSync(join(folder, 'torn-'));
writeFileSync(join(torn, 'tools.yaml'), 'tools: {}');
symlinkSync(join(torn, 'nowhere'), join(torn, 'autonomy.yaml'));
/** A directory in which only names look like catalogs. */
const odd = mkdtempSync(join(folder, 'odd-'));
mkdirSync(join(odd, 'tools-of-old.yaml'));
symlinkSync(join(odd, 'nowhere'), join(odd, 'more.yaml'));

const key = formatNoteKey({ name: 'countersign/acme', publicKey: new Uint8Array(32).fill(7) });
const pack = kept('pack.json', '{}');
const checkpoint = kept('checkpoint.txt', 'a note');

describe('verify', () => {
  it('needs a key', async () => {
    const code = 'verify.key_missing';
    const action = expect.stringContaining('Give --key FILE') as string;
    expect(await refusal('verify', pack)).toMatchObject({ code, action });
    for (const text of ['', '\n', '# no key yet\n']) {
      const empty = kept('keys.txt', text);
      expect(await refusal('verify', pack, '--key', empty)).toMatchObject({
        code,
        message: `${empty} holds no audit key.`,
        action,
      });
    }
    expect((await run('verify', pack)).err).toMatch(/^error: .*\(verify\.key_missing\)\n {2}Give --key FILE/);
    expect(await refusal('verify', pack, '--key', kept('other.txt', 'x\n'))).toMatchObject({
      code: 'verify.key_malformed',
    });
    expect((await run('verify', pack, '--key', key)).exitCode).toBe(3);
    expect((await run('verify', pack, '--key', kept('good.txt', `# ours\n${key}\n`))).exitCode).toBe(3);
  });

  it.each([
    '',
    '{"proof": [',
    'null',
    '[]',
    '{}',
    '{"proof": "00"}',
    '{"proof": [1]}',
    `{"proof": ["${'0'.repeat(63)}"]}`,
  ])('refuses %j as a proof', async (text) => {
    const proof = kept('proof.json', text);
    expect(await refusal('verify', pack, '--key', key, '--checkpoint', checkpoint, '--proof', proof)).toMatchObject({
      code: 'verify.proof_malformed',
      message: `${proof} is not a consistency proof.`,
      action: expect.stringContaining('GET /v1/audit/consistency') as string,
    });
  });

  it('takes no proof without the checkpoint that it is for', async () => {
    const proof = kept('proof.json', `{"epoch": 1, "first": 1, "second": 2, "proof": ["${'0'.repeat(64)}"]}`);
    expect(await refusal('verify', pack, '--key', key, '--proof', proof)).toMatchObject({
      code: 'verify.proof_without_checkpoint',
      action: expect.stringContaining('--checkpoint FILE') as string,
    });
    const both = ['--checkpoint', checkpoint, '--proof', proof];
    expect((await run('verify', pack, '--key', key, ...both)).exitCode).toBe(3);
  });

  it('writes its report for programs as all documents are written: in snake_case', async () => {
    const { exitCode, out } = await run('verify', pack, '--key', key, '--json');
    expect([exitCode, Object.keys(JSON.parse(out) as object)]).toEqual([3, expect.arrayContaining(['tenant_id'])]);
    expect(out).not.toMatch(/"[a-z]+[A-Z]\w*":/);
  });
});

describe('a credential that is none', () => {
  it.each(['', 'first line\nsecond line\n', 'export TOKEN=cs_p_secret', '{"token":"cs_p_secret"}'])(
    '%j is refused, and not shown',
    async (text) => {
      const { exitCode, out, err } = await run('--token-file', kept('no.token', text), 'whoami');
      expect([exitCode, out]).toEqual([2, '']);
      expect(err).toMatch(/^error: The given credential is not a token\. \(credential\.malformed\)\n {2}See that/);
      expect(err).not.toMatch(/secret|line/);
    },
  );
});

describe('an address that is none', () => {
  it.each(['nonsense', 'localhost:8420', 'file:///etc', ''])(
    '%j is refused, and the error says how an address begins',
    async (url) => {
      expect(await refusal('--url', url, 'whoami')).toMatchObject({
        code: 'connection.url_invalid',
        action: expect.stringContaining('https://countersign.example') as string,
      });
    },
  );

  it('is refused before a token goes there unencrypted', async () => {
    expect(await refusal('--url', 'http://countersign.example', 'whoami')).toMatchObject({
      code: 'connection.plain_http',
      action: expect.stringContaining('https://') as string,
    });
  });

  it.each(['https://u:hunter2@h.example', 'https://h.example/?a=hunter2', 'https://h.example/#hunter2', 'u:hunter2@h'])(
    '%j is refused, and not shown',
    async (url) => {
      const { exitCode, out, err } = await run('--url', url, 'whoami');
      expect([exitCode, out]).toEqual([2, '']);
      expect(err).toMatch(/without user, query or fragment\. \(connection\.url_invalid\)\n/);
      expect(err).not.toContain('hunter2');
    },
  );

  it('disturbs nothing that needs none', async () => {
    expect((await run('--url', 'nonsense', 'verify', pack, '--key', key)).exitCode).toBe(3);
  });
});

describe('a wrong command line', () => {
  it('is an error in JSON for programs, with the option that was probably meant', async () => {
    expect(await refusal('review', 'x', '--aprove')).toMatchObject({
      code: 'command.usage',
      message: "error: unknown option '--aprove'\n(Did you mean --approve?)",
      action: 'See countersign --help, or countersign help COMMAND.',
    });
    expect(await refusal('requets')).toMatchObject({
      message: expect.stringMatching(/^error: unknown command 'requets'\n\(Did you mean /) as string,
    });
    const contradictions = [
      ['review', 'x', '--approve', '--reject'],
      ['start', '--api-only', '--worker-only'],
    ];
    for (const argv of [...contradictions, ['review'], ['submit']]) {
      const { code, message, action } = await refusal(...argv);
      expect({ code, message, action }).toEqual({
        code: 'command.usage',
        message: expect.stringMatching(/\w/) as string,
        action: expect.stringContaining('countersign help COMMAND') as string,
      });
    }
  });

  it('is told to people in words', async () => {
    const { exitCode, err } = await run('review', 'x', '--aprove');
    expect(exitCode).toBe(2);
    expect(err).toContain("unknown option '--aprove'\n(Did you mean --approve?)");
    expect(err).toContain('See countersign review --help.');
    expect((await run('role', 'asign')).err).toContain('See countersign role --help.');
    const { err: group } = await run('siem', 'put');
    expect(group).toContain('Its commands are show, set, test, token, remove. See countersign siem --help.');
  });

  it.each([
    ['short', 'because'],
    ['long', 'x'.repeat(1_001)],
  ])('says of which length a reason is that is too %s', async (_what, reason) => {
    expect(await refusal('slack', 'install', '--reason', reason)).toMatchObject({
      code: 'command.usage',
      message: expect.stringContaining('in 10 to 1,000 characters') as string,
    });
  });

  it('says how to approve if nothing is asked', async () => {
    const digest = expect.stringContaining('--yes --digest DIGEST') as string;
    expect(await refusal('review', 'x', '--approve')).toMatchObject({ code: 'command.usage', action: digest });
    expect(await refusal('review', 'x', '--approve', '--yes')).toMatchObject({ code: 'command.usage', action: digest });
  });
});

describe('help', () => {
  it('shows a command, also one of a group', async () => {
    const shown = await Promise.all([run('help'), run('help', 'submit'), run('help', 'submit', 'task')]);
    expect(shown.map(({ exitCode, err }) => [exitCode, err])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    expect(shown.map(({ out }) => out.split('\n', 1)[0])).toEqual([
      'Usage: countersign [options] [command]',
      'Usage: countersign submit [options] [command]',
      'Usage: countersign submit task [options] <file>',
    ]);
  });

  it.each([[['agent', '--help']], [['help', 'agent']]])(
    'lists the commands of a word that is none: %j',
    async (words) => {
      const { exitCode, out, err } = await run(...words);
      expect([exitCode, err]).toEqual([0, '']);
      const [title, ...lines] = out.split('\n');
      expect(title).toBe('Commands of agent:');
      const listed = lines.filter((line) => /^ {2}\S/.test(line)).map((line) => line.trim().split(' ', 1)[0]);
      expect(listed).toEqual(['agents', 'agent-register', 'agent-hand-over', 'agent-token']);
    },
  );

  it('of a word that begins no command is refused', async () => {
    const { exitCode, out, err } = await run('agnet', '--help');
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain("unknown command 'agnet'");
  });

  it('refuses a name that the group does not have', async () => {
    const { exitCode, out, err } = await run('help', 'submit', 'tsk');
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(
      /^error: unknown command 'tsk'\nIts commands are task, plan.*See countersign submit --help\.\n$/,
    );
  });
});

describe('a command line that cannot be carried out', () => {
  it.each([
    ['file.missing', ['submit', 'task', join(folder, 'nowhere.yaml')]],
    ['document.unreadable', ['submit', 'task', kept('torn.yaml', 'goal: [')]],
    ['document.not_a_mapping', ['submit', 'task', kept('list.yaml', '[]')]],
    ['apply.nothing_to_apply', ['apply', mkdtempSync(join(folder, 'empty-'))]],
    ['apply.nothing_to_apply', ['impact', odd]],
    ['apply.two_catalogs', ['apply', twoCatalogs]],
    ['apply.no_directory', ['impact', pack]],
    ['apply.no_directory', ['apply', join(folder, 'nowhere')]],
    ['command.usage', ['tasks', '--from', 'yesterday']],
    ['command.usage', ['report', '--from', '2026-02-30', '--until', '2026-03-01']],
    ['file.missing', ['impact', torn]],
    ['enrolment.no_token', ['enrol', join(folder, 'none.txt'), '--save-token', join(folder, 'token')]],
    ['secret.empty', ['secret', 'put', 'token', kept('empty.txt', '\n')]],
    ['command.usage', ['environment', 'update', 'staging']],
  ])('is refused as %s, with what to do', async (code, argv) => {
    const refused = await refusal(...argv);
    expect(refused.code).toBe(code);
    expect(refused.action).not.toBe('');
  });
});

describe('shell classify', () => {
  const classify = (...lines: string[]) => runWith(lines.join('\n'), 'shell', 'classify');

  it('answers each line in order, without a server', async () => {
    const { exitCode, out, err } = await classify(
      '{"command": "git status"}',
      '',
      '{"command": "ls !(a)", "shell": "bash"}',
      '{"command": "ls !(a)"}',
      '{"command": "rm -rf /"}',
    );
    expect([exitCode, err]).toEqual([0, '']);
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(
      answers.map(({ command, tier, class: shellClass, allow_listed }) => [command, tier, shellClass, allow_listed]),
    ).toEqual([
      ['git status', 1, 'READ_ONLY', 'blocked'],
      ['ls !(a)', 1, 'READ_ONLY', 'blocked'],
      ['ls !(a)', 3, 'UNKNOWN', 'blocked'],
      ['rm -rf /', 3, 'DESTRUCTIVE', 'blocked'],
    ]);
    expect(answers[3]).toMatchObject({
      reasons: expect.arrayContaining([
        expect.objectContaining({ code: 'shell.deletes_beyond_undo', start: 0, end: 8 }),
      ]) as unknown,
    });
  });

  it('judges a line that is over 16 KB', async () => {
    const { exitCode, out } = await classify(JSON.stringify({ command: `ls ${'x'.repeat(20_000)}` }));
    expect([exitCode, JSON.parse(out)]).toEqual([0, expect.objectContaining({ tier: 3 })]);
  });

  it.each([
    ['no JSON', 'ls', 'Line 2 is not JSON: not a JSON value at position 0.'],
    [
      'two commands',
      '{"command": "rm -rf /", "command": "ls"}',
      'Line 2 is not JSON: the key "command" stands twice in one object at position 24.',
    ],
    ['no command', '{"shell": "bash"}', 'Line 2 is no command line to judge.'],
    ['an unknown shell', '{"command": "ls", "shell": "fish"}', 'Line 2 is no command line to judge.'],
    ['an unknown member', '{"command": "ls", "cwd": "/"}', 'Line 2 is no command line to judge.'],
    ['a list', '["ls"]', 'Line 2 is no command line to judge.'],
  ])('stops at a line with %s, and names it', async (_what, wrong, message) => {
    const { exitCode, out, err } = await classify('{"command": "ls"}', wrong, '{"command": "ls"}');
    expect([exitCode, out.split('\n').length]).toEqual([2, 2]);
    expect(err).toContain(`error: ${message} (shell.line_malformed)`);
    expect(err).toContain('The lines before it have their answers.');
  });
});

describe('tenant move', () => {
  const move = ['tenant', 'move', 'acme', '--to', 'postgres://postgres@db-b/countersign'];

  it.each(['0', '-1', '1.5', '2', '100000', '2m', ''])('refuses to freeze a tenant for %j seconds', async (seconds) => {
    expect(await refusal(...move, `--max-freeze=${seconds}`)).toEqual({
      code: 'command.usage',
      message: `error: option '--max-freeze <seconds>' argument '${seconds}' is invalid. Write whole seconds, from 3 to 99999.`,
      action: 'See countersign --help, or countersign help COMMAND.',
      details: [],
    });
  });

  it('asks how the receiver is started before it looks for a database', async () => {
    expect(await refusal(...move, '--max-freeze', '99999')).toMatchObject({ code: 'tenant_move.no_receiver' });
  });

  it('needs no credential: a file of one that is gone keeps no operator from a command on the server', async () => {
    const missing = join(folder, 'gone.token');
    expect(await refusal('--token-file', missing, ...move)).toMatchObject({ code: 'tenant_move.no_receiver' });
    expect(await refusal('--token-file', missing, 'whoami')).toMatchObject({ code: 'credential.file_unreadable' });
  });

  it('asks for the map of the routers if a cell of it is named', async () => {
    expect(await refusal(...move, '--receiver', 'countersign tenant receive', '--cell', 'eu2')).toMatchObject({
      code: 'tenant_move.no_map',
      action: expect.stringContaining('Set COUNTERSIGN_ROUTER_DATABASE_URL') as string,
    });
  });
});
