import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { planDocumentSchema, taskSpecSchema, toolCatalogSchema, wantedSignInSettingsSchema } from '#lib/formats';
import { EXIT } from '../../apps/cli/src/exit-codes.js';
import { createProgram } from '../../apps/cli/src/program.js';
import { mcpServersIn } from '../../apps/runner/src/mcp/mcp-file.js';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { autonomyDocument, equippedTenant } from '../support/equipped-tenant.js';
import { testIssuer, type TestIssuer } from '../support/issuer.js';
import { putCurrent } from '../support/put-current.js';

let printed = '';
const unused = (): never => {
  throw new Error('an example is only looked at');
};
const program = createProgram({
  environment: {},
  out: (text) => {
    printed += text;
  },
  err: unused,
  readLine: unused,
  readAll: unused,
  pieces: unused,
  replay: unused,
});

function helpOf(command: Command): string {
  printed = '';
  command.outputHelp();
  return printed;
}

const commands: Command[] = [];
const collect = (command: Command): void => {
  commands.push(command);
  for (const child of command.commands) collect(child);
};
collect(program);

const guides = ['README.md', ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))];

/** Every command line that help, README or a guide shows, with where it stands. */
const shown = [
  ...commands.flatMap((command) => linesOf(helpOf(command), `help of ${command.name()}`)),
  ...guides.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].flatMap(([, block = '']) =>
      linesOf(block, file),
    ),
  ),
  ...guides.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^ {4}((?:npx )?countersign .+)$/gm)].flatMap(([, line = '']) =>
      linesOf(line, file),
    ),
  ),
].filter(({ line }, index, all) => all.findIndex((other) => other.line === line) === index);

/** Every command that a guide names within a sentence: it may go without its arguments there. */
const named = guides
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/`((?:npx\s+)?countersign\s[^`]+)`/g)].flatMap(([, code = '']) =>
      linesOf(code.replaceAll(/\s+/g, ' '), file),
    ),
  )
  .filter(({ line }, index, all) => all.findIndex((other) => other.line === line) === index);

function linesOf(text: string, where: string): { readonly where: string; readonly line: string }[] {
  return text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, example] = /^\s*(?:[A-Z_]+=\S+ )*(?:npx )?countersign (.+)$/.exec(line) ?? [];
      // A comment is set apart by blanks; the first line of a help names the command and nothing to run.
      return example === undefined || line.startsWith('Usage:')
        ? []
        : [{ where, line: example.split(/\s+#/)[0] ?? '' }];
    });
}

/** The words of the first command of a shell line, without redirections; `<person>` stands for a value. */
const wordsOf = (line: string): string[] =>
  [
    ...line
      .replaceAll(/<([a-z]+)>/g, '$1')
      .replace(/\s(?:[<>|]|&&).*$/, '')
      .replaceAll(/\[[^\]]*\]/g, '')
      .matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
  ].map(([, double, single, bare]) => double ?? single ?? bare ?? '');

/** The mistake of a command line; null if the command exists and takes these options and this many arguments. */
function problemOf(line: string): string | null {
  let words = wordsOf(line).filter((word) => !word.startsWith('['));
  // The program ends here, as it does for help.
  if (words.length === 1 && words[0] === '--version') return null;
  let command: Command = program;
  for (;;) {
    const { operands, unknown } = command.parseOptions(words);
    const child = command.commands.find((each) => each.name() === operands[0]);
    if (child === undefined) break;
    words = [...operands.slice(1), ...unknown];
    command = child;
  }
  const { operands, unknown } = command.parseOptions(words);
  const foreign = unknown.filter((word) => word.startsWith('-') && word !== '-' && word !== '--help');
  if (foreign.length > 0) return `${command.name()} has no ${foreign.join(' ')}`;
  const given = operands.length + unknown.filter((word) => !word.startsWith('--')).length;
  const declared = command.registeredArguments;
  const least = declared.filter(({ required }) => required).length;
  const most = declared.some(({ variadic }) => variadic) ? Infinity : declared.length;
  if (command.commands.length > 0 && given > 0) return `there is no command ${operands.join(' ')}`;
  if (given < least && !words.includes('--help')) return `${command.name()} takes ${String(least)} arguments`;
  return given > most ? `${command.name()} takes at most ${String(most)} arguments` : null;
}

describe('the commands in help, README and guides', () => {
  it('are many', () => {
    expect(shown.length).toBeGreaterThan(60);
  });

  it.each(shown)('countersign $line ($where)', ({ line }) => {
    expect(problemOf(line)).toBeNull();
  });

  it.each(named)('countersign $line, within a sentence ($where)', ({ line }) => {
    expect(problemOf(line) ?? '').toMatch(/^$|takes \d+ arguments$/);
  });

  it('notices a command, an option or an argument that does not exist', () => {
    expect(problemOf('aproove REQUEST')).toBe('there is no command aproove REQUEST');
    expect(problemOf('review REQUEST --aproove')).toBe('review has no --aproove');
    expect(problemOf('review')).toBe('review takes 1 arguments');
    expect(problemOf('review ONE TWO')).toBe('review takes at most 1 arguments');
  });

  it('every exit code there is, the codes of verify with it as well', () => {
    const codesIn = (text: string): number[] =>
      [...(/^Exit codes:\n((?: {2}\d+ {2}.*\n(?: {5}.*\n)*)+)/m.exec(text)?.[1] ?? '').matchAll(/^ {2}(\d+)/gm)].map(
        ([, code]) => Number(code),
      );
    expect(codesIn(helpOf(program))).toEqual(Object.values(EXIT));
    const verify = commands.find((each) => each.name() === 'verify');
    if (verify === undefined) throw new Error('there is no command verify');
    expect(codesIn(helpOf(verify))).toEqual([EXIT.ok, EXIT.unverified, EXIT.incomplete, EXIT.notSigned]);
  });

  it('no request in the place of a command', () => {
    for (const file of guides) expect(readFileSync(file, 'utf8')).not.toMatch(/\bcurl\b/);
  });

  describe('as a document', () => {
    let issuer: TestIssuer;
    let api: TestApi;
    let tenant: TestTenant;
    beforeAll(async () => {
      // oidc-provider warns developers on the console.
      jest.spyOn(console, 'warn').mockImplementation(() => undefined);
      jest.spyOn(console, 'info').mockImplementation(() => undefined);
      issuer = await testIssuer([]);
      api = await testApi({ config: { allowedPrivateHosts: ['127.0.0.1:9', issuer.host] } });
      ({ tenant } = await equippedTenant(api, 9));
      expectStatus(await api.http(tenant.admin.token).put('/v1/autonomy', autonomyDocument(true)), 200);
    }, 60_000);
    afterAll(async () => {
      await api.close();
      await issuer.close();
    });

    const put = async (path: string, document: unknown): Promise<void> => {
      expectStatus(await api.http(tenant.admin.token).put(path, document), 200);
    };
    const agentOfTenant = async (): Promise<HttpAs> =>
      api.http((await api.agent(tenant, await api.person(tenant))).token);
    let task: unknown;

    /** The request of each command with its document, against a server. */
    const carriedOut: Record<string, (document: unknown) => Promise<void>> = {
      'submit task': async (document) => {
        task = taskSpecSchema.parse(document);
        expectStatus(await (await agentOfTenant()).post('/v1/tasks', task), 201);
      },
      'submit plan': async (document) => {
        const agent = await agentOfTenant();
        const { id } = expectStatus(await agent.post('/v1/tasks', task), 201).body as { id: string };
        const plan = planDocumentSchema.parse(document);
        const submitted = expectStatus(await agent.post(`/v1/tasks/${id}/plans`, plan), 201).body;
        expect(submitted.status).toBe('validated');
      },
      'slack app': (document) => put('/v1/slack/app', document),
      'slack routes': (document) => put('/v1/slack/routes', document),
      'incident-settings put': (document) => put('/v1/incident-settings', document),
      'issuer put': async (document) => {
        const { issuers, ...settings } = wantedSignInSettingsSchema.parse(document);
        for (const { client_secret: secret = '' } of issuers)
          await put(`/v1/secrets/${secret?.split('@')[0] ?? ''}`, { value: 'x', binding: { purpose: 'sign_in' } });
        const before = expectStatus(await api.http(tenant.admin.token).get('/v1/issuers'), 200);
        const match = before.body.revision === 0 ? {} : { 'if-match': before.headers.etag ?? '' };
        // The issuer of the example does not answer.
        const here = { ...settings, issuers: issuers.map((each) => ({ ...each, issuer_url: issuer.url })) };
        expectStatus(await api.http(tenant.admin.token).put('/v1/issuers', here, match), 200);
      },
    };

    const nameOf = (command: Command): string =>
      command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
    const inHelp = commands.flatMap((command) => {
      const [, block] = /(?:^The file.*|standard input):\n((?: {2}.*\n)+)/m.exec(helpOf(command)) ?? [];
      return block === undefined ? [] : [{ name: nameOf(command), where: 'help', block }];
    });
    /** Documents of guides. Other specs carry out the blocks of the remaining guides in order (agents-guide.spec.ts). */
    const inGuides = ['docs/operating.md', 'docs/slack.md'].flatMap((where) => {
      const text = readFileSync(where, 'utf8');
      return [...text.matchAll(/^ *```yaml (.+)\n([^]*?)^ *```$/gm)].map(([, file = '', block = '']) => ({
        name: new RegExp(`countersign (.+) ${file}$`, 'm').exec(text)?.[1] ?? file,
        where,
        block,
      }));
    });

    it('are those of every command that shows one', () => {
      expect(inHelp.map(({ name }) => name).sort()).toEqual(Object.keys(carriedOut).sort());
      expect(inGuides.map(({ name }) => name).sort()).toEqual(['issuer put', 'slack app', 'slack routes']);
      const elsewhere = ['approvers', 'automations', 'get-started', 'lifecycle-hooks', 'mcp', 'runbook', 'tools'].map(
        (name) => `docs/${name}.md`,
      );
      const blocks = guides.filter((file) => /^ *```ya?ml/m.test(readFileSync(file, 'utf8')));
      expect(blocks.sort()).toEqual([...elsewhere, ...new Set(inGuides.map(({ where }) => where))].sort());
    });

    it('of docs/tools.md is a tool', async () => {
      const [, block = ''] = /^```yaml\n([^]*?)^```$/m.exec(readFileSync('docs/tools.md', 'utf8')) ?? [];
      const [name = '', definition] = Object.entries(toolCatalogSchema.parse({ tools: parse(block) }).tools)[0] ?? [];
      await put(`/v1/tools/${name}`, definition);
    });

    it('of docs/mcp.md is the file of a runner', () => {
      const [, block = ''] = /^```yaml\n([^]*?)^```$/m.exec(readFileSync('docs/mcp.md', 'utf8')) ?? [];
      const folder = mkdtempSync(join(tmpdir(), 'countersign-mcp-'));
      writeFileSync(join(folder, 'mcp.yaml'), block);
      const [server] = mcpServersIn(join(folder, 'mcp.yaml'), join(folder, 'root'), {});
      rmSync(folder, { recursive: true });
      expect(server).toMatchObject({ name: 'files', program: '/usr/bin/node', timeLimitSeconds: 30 });
    });

    it('of docs/automations.md is an automation', async () => {
      const [, source = ''] = /^```yaml\n([^]*?)^```$/m.exec(readFileSync('docs/automations.md', 'utf8')) ?? [];
      const answer = await (await agentOfTenant()).post('/v1/automations/validate', { source });
      // The tool that restarts a service is the tenant's own.
      const { blocked } = expectStatus(answer, 200).body as { blocked: readonly object[] };
      expect(blocked).toContainEqual(expect.objectContaining({ step: 'restart', code: 'policy.unknown_tool' }));
    });

    it('of docs/lifecycle-hooks.md are hooks', async () => {
      const blocks = [...readFileSync('docs/lifecycle-hooks.md', 'utf8').matchAll(/^ *```yaml\n([^]*?)^ *```$/gm)];
      expect(blocks).toHaveLength(2);
      const admin = api.http(tenant.admin.token);
      for (const [, source = ''] of blocks)
        expectStatus(await putCurrent(admin, '/v1/lifecycle-hooks', { source }), 200);
    });

    it.each([...inHelp, ...inGuides])('$name takes the one in $where', async ({ name, block }) => {
      await carriedOut[name]?.(parse(block));
    });
  });
});
