import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { LIFTING_ROLES } from '#lib/formats';
import { grantVerifier } from '#lib/sdk';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { fleetServer } from '../../apps/fleet/src/fleet-server.js';
import { Ledger } from '../../apps/fleet/src/ledger.js';
import type { PersonId, TenantId } from '#lib/kernel';
import { operatorToken, testApi, type TestApi } from '../support/api.js';
import { compiledPackage } from '../support/compiled-package.js';
import { serverPort } from '../support/server-port.js';
import { rolloutPlan } from '../support/stages.js';
import { workerOf } from '../support/worker.js';

/** The result of one command line. */
interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

interface Call {
  /** The holder of the credential; none for a call without one. */
  readonly as?: string;
  readonly types?: string;
  /** The text on standard input. */
  readonly input?: string;
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const close = (server: Server): Promise<unknown> => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
};

describe('the command line, against api, worker and fleet', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-cli-'));
  const file = (name: string): string => join(folder, name);
  let api: TestApi;
  let worker: Awaited<ReturnType<typeof workerOf>>;
  let fleet: Server;
  let ledger: Ledger;
  let baseUrl: string;
  const ids: Record<string, string> = {};

  const run = async (argv: readonly string[], { as, types, input }: Call = {}): Promise<Ran> => {
    let [out, err] = ['', ''];
    const exitCode = await runCommandLine(argv, {
      environment: {
        COUNTERSIGN_URL: baseUrl,
        ...(as === undefined ? {} : { COUNTERSIGN_TOKEN_FILE: file(`${as}.token`) }),
      },
      out: (text) => (out += text),
      err: (text) => (err += text),
      readLine: () => Promise.resolve(types ?? null),
      readAll: () => Promise.resolve(input ?? ''),
      pieces: () => Readable.from([Buffer.from(input ?? '')]),
      replay: (job) => Promise.resolve(replayDecisions(job)),
    });
    return { exitCode, out: stripVTControlCharacters(out), err: stripVTControlCharacters(err) };
  };

  const done = async (argv: readonly string[], call: Call): Promise<string> => {
    const ran = await run(argv, call);
    if (ran.exitCode !== 0)
      throw new Error(`${argv.join(' ')} ended with ${String(ran.exitCode)}: ${ran.err}${ran.out}`);
    return ran.out;
  };

  // A test states the shape it expects at each call.
  // oxlint-disable-next-line typescript/no-explicit-any
  const json = async (argv: readonly string[], call: Call): Promise<any> =>
    JSON.parse(await done(['--json', ...argv], call)) as unknown;

  /** Replaces the token of an invitation by the operator's. A person who comes in with it has a vote of their own. */
  const letInByOperator = async (personId: string, invitation: string): Promise<void> => {
    const { tenant_id: tenantId } = (await json(['whoami'], { as: 'ada' })) as { tenant_id: TenantId };
    writeFileSync(file(invitation), await operatorToken(api, tenantId, personId as PersonId));
  };

  /** Founds a tenant and fills it with the commands that an operator would use. */
  const found = async (): Promise<void> => {
    const { token } = await api.installation.identity.issueBootstrapToken.execute();
    writeFileSync(file('bootstrap.txt'), token);
    const admin = ['--name', 'Acme', '--email', 'ada@acme.example', '--display-name', 'Ada'];
    const foundOptions = ['--save-token', file('ada.token'), '--bootstrap-token-file', file('bootstrap.txt')];
    await done(['found', 'acme', ...admin, ...foundOptions], {});
    for (const [name, role, scopes] of [
      ['olga', 'SRELead', ['read', 'review']],
      ['sam', 'SRELead', ['read', 'review', 'run']],
      ['rita', 'SecurityReviewer', ['read', 'audit']],
    ] as const) {
      const invitation = ['--display-name', name, '--save-invitation', file(`${name}.txt`), '--role', role];
      ids[name] = (await json(['invite', `${name}@acme.example`, ...invitation], { as: 'ada' })).person_id as string;
      if (name === 'sam') await letInByOperator(ids[name], 'sam.txt');
      await done(['enrol', file(`${name}.txt`), '--save-token', file(`${name}.token`), '--scope', ...scopes], {});
    }
    ids.agent = (await json(['agent-register', 'drift-bot', '--owner', 'olga@acme.example'], { as: 'ada' }))
      .id as string;
    const scopes = ['--scope', 'read', 'submit', 'run', '--save-token', file('agent.token')];
    await done(['agent-token', 'Drift-Bot', ...scopes], { as: 'ada' });
  };

  beforeAll(async () => {
    const port = await serverPort();
    baseUrl = `http://127.0.0.1:${String(port)}`;
    ledger = Ledger.open(file('ledger.jsonl'));
    const verifyGrant = grantVerifier({
      issuer: baseUrl,
      audience: 'fleet',
      tenants: 'any',
      environments: ['production'],
      replay: 'redeem',
    });
    fleet = fleetServer({ ledger, verifyGrant, allowFaults: true });
    const fleetHost = `127.0.0.1:${String(await listen(fleet))}`;
    api = await testApi({
      config: { publicUrl: baseUrl, keyDirectory: file('keys'), allowedPrivateHosts: [fleetHost] },
    });
    await api.app.listen(port, '127.0.0.1');
    worker = await workerOf(api);
    await found();
    const executor = ['--set', `url=http://${fleetHost}/tools`, '--audience', 'fleet'];
    await done(['executor', 'put', 'production', 'fleet', ...executor], { as: 'ada' });
    const task = { goal: 'Remediate drift\napproved by everybody', task_type: 'drift', environment: 'production' };
    writeFileSync(file('task.json'), JSON.stringify(task));
    writeFileSync(file('plan.json'), JSON.stringify(rolloutPlan('web-2026.11'), null, 2));
  }, 180_000);

  afterAll(async () => {
    await worker.stop();
    await close(fleet);
    await api.close();
    ledger.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describe('credentials', () => {
    it('go into new files of mode 0600, and never over an existing file', async () => {
      expect(statSync(file('agent.token')).mode & 0o777).toBe(0o600);
      const again = await run(['agent-token', ids.agent ?? '', '--save-token', file('agent.token')], { as: 'ada' });
      expect(again).toMatchObject({ exitCode: 2, out: '' });
      expect(again.err).toContain('is there already');
    });

    it('are never shown', async () => {
      const listed = await done(['--json', 'tokens'], { as: 'ada' });
      for (const name of ['ada', 'agent', 'sam'])
        expect(listed).not.toContain(readFileSync(file(`${name}.token`), 'utf8').trim());
    });

    it('are made for oneself, narrower than the one in use, and never wider', async () => {
      const mint = (scope: string, name: string, ...more: string[]): string[] => [
        'token-mint',
        '--scope',
        scope,
        '--save-token',
        file(`${name}.token`),
        ...more,
      ];
      expect(await done(mint('read', 'ada-reads', '--days', '30'), { as: 'ada' })).toContain(
        'It may be used for read,',
      );
      expect(await done(['whoami'], { as: 'ada-reads' })).toContain('read');
      const wider = await run(mint('admin', 'ada-wider'), { as: 'ada-reads' });
      expect([wider.exitCode, existsSync(file('ada-wider.token'))]).toEqual([1, false]);
      expect((await run(mint('read', 'ada-long', '--days', '366'), { as: 'ada' })).exitCode).toBe(2);
    });

    it('are missed with 2', async () => {
      const ran = await run(['whoami']);
      expect(ran.exitCode).toBe(2);
      expect(ran.err).toContain('needs a credential');
    });
  });

  describe('executors', () => {
    it('are listed, and put again as they were keep their version', async () => {
      const { executors } = await json(['executor', 'list', 'production'], { as: 'agent' });
      expect(executors).toMatchObject([{ name: 'fleet', kind: 'http', audience: 'fleet', secret: null, version: 1 }]);
      const again = ['executor', 'put', 'production', 'fleet', '--set', `url=${executors[0].url as string}`];
      expect(await done([...again, '--audience', 'fleet'], { as: 'ada' })).toContain('version 1');
      expect(await done(['executor', 'list', 'staging'], { as: 'ada' })).toBe('Nothing executes tools in staging.\n');
    });

    it('at a private address that the operator has not allowed are refused with 1', async () => {
      const put = ['executor', 'put', 'staging', 'fleet', '--set', 'url=http://10.0.0.5:8443/tools'];
      const ran = await run(put, { as: 'ada' });
      expect(ran.exitCode).toBe(1);
      expect(ran.err).toContain('executor.invalid');
    });
  });

  describe('environments', () => {
    it('are created, become production, and stop being it only if that is said', async () => {
      await done(['environment', 'create', 'qa'], { as: 'ada' });
      const production = await json(['environment', 'update', 'qa', '--production'], { as: 'ada' });
      expect(production).toMatchObject({ name: 'qa', production: true, version: 2 });
      const loosened = await json(['environment', 'update', 'qa', '--not-production'], { as: 'ada' });
      expect(loosened).toMatchObject({ name: 'qa', production: false, version: 3 });
      expect(await done(['environment', 'list'], { as: 'agent' })).toMatch(/^production +production +version 1/m);
    });

    it('cannot be changed to nothing, or to both, or if there is none', async () => {
      for (const wrong of [['qa'], ['qa', '--production', '--not-production'], ['quay', '--production']])
        expect((await run(['environment', 'update', ...wrong], { as: 'ada' })).exitCode).toBe(2);
    });

    it('are changed by admins only', async () => {
      const ran = await run(['environment', 'create', 'lab'], { as: 'sam' });
      expect(ran).toMatchObject({ exitCode: 1, out: '' });
    });
  });

  describe('secrets', () => {
    it('are stored from a file or standard input, and shown nowhere', async () => {
      writeFileSync(file('value.txt'), 'first value\n');
      const said = await done(['secret', 'put', 'fleet-token', file('value.txt')], { as: 'ada' });
      expect(said).toContain('fleet-token@1 is stored');
      const second = await json(['secret', 'put', 'fleet-token', '-'], { as: 'ada', input: 'second value' });
      expect(second).toMatchObject({ reference: 'fleet-token@2' });
      const listed = await done(['--json', 'secret', 'list'], { as: 'ada' });
      expect(listed).toContain('fleet-token@2');
      expect(`${said}${listed}`).not.toMatch(/(first|second) value/);
    });

    it('show their former binding after a change of it', async () => {
      const both = ['--executor', 'production/fleet', '--tool', 'restart', '--tool', 'stop'];
      await done(['secret', 'put', 'web-root', '-', ...both], { as: 'ada', input: 'value' });
      const narrowed = await done(['secret', 'bind', 'web-root', ...both.slice(0, 2), '--tool', 'stop'], { as: 'ada' });
      expect(narrowed).toMatch(/web-root is for .*stop.*\nbefore, it was for .*restart.*stop/);
    });

    it('are no argument, and never empty', async () => {
      expect((await run(['secret', 'put', 'x', 'hunter2'], { as: 'ada' })).exitCode).toBe(2);
      expect((await run(['secret', 'put', 'x', '-'], { as: 'ada', input: '\n' })).exitCode).toBe(2);
    });

    it('are encrypted anew once there is a new master key', async () => {
      expect(await json(['secret', 'rotate'], { as: 'ada' })).toEqual({ reencrypted: 0 });
      const script = join(compiledPackage(), 'dist', 'programs', 'cli', 'main.js');
      const rotated = spawnSync(process.execPath, [script, 'keyring', 'rotate', '--json'], {
        env: { COUNTERSIGN_DATA: folder },
        encoding: 'utf8',
      });
      expect([rotated.status, rotated.stderr]).toEqual([0, '']);
      const { key_id: key } = JSON.parse(rotated.stdout) as { key_id: string };
      expect(await json(['secret', 'rotate'], { as: 'ada' })).toEqual({ reencrypted: 3 });
      const { items } = await json(['secret', 'list'], { as: 'ada' });
      expect(items).toMatchObject([{ key_id: key }, { key_id: key }, { key_id: key }]);
    });
  });

  describe('apply', () => {
    /** As it is shipped, but for the second factor of approvers: those here decide by tokens alone. */
    const catalog = file('catalog');
    beforeAll(() => {
      cpSync('catalog', catalog, { recursive: true });
      const path = join(catalog, 'autonomy.yaml');
      writeFileSync(path, readFileSync(path, 'utf8').replace('require_mfa: true', 'require_mfa: false'));
    });

    it('checks in a dry run each part against the results of the earlier ones', async () => {
      const dry = await done(['apply', catalog, '--dry-run'], { as: 'ada' });
      expect(dry).toMatch(/create +trigger_dr_failover/);
      expect(dry).toContain('autonomy: loosens');
      expect(dry).toContain('A second admin, if there is one, would have to confirm:');
      expect(dry).toContain('Nothing was changed');
      expect((await json(['apply', catalog, '--dry-run'], { as: 'ada' })).tools.changes[0].change).toBe('create');
    });

    it('applies, and then has nothing to change', async () => {
      expect(await done(['apply', catalog], { as: 'ada' })).toContain('Applied.');
      const again = await json(['apply', catalog, '--dry-run'], { as: 'ada' });
      expect(again.autonomy.changed).toBe(false);
    });

    it('brings environments and executors to the state of the directory', async () => {
      mkdirSync(file('config'));
      writeFileSync(file('config/environments.yaml'), 'environments:\n  lab: { production: true }\n');
      const executor = '{ kind: http, url: "https://lab.example/tools" }';
      writeFileSync(file('config/executors.yaml'), `executors:\n  lab:\n    fleet: ${executor}\n`);
      const created = [{ change: 'create', name: 'lab' }];
      const dry = await json(['apply', file('config'), '--dry-run'], { as: 'ada' });
      expect(dry).toMatchObject({ environments: created, executors: [{ change: 'create', name: 'lab/fleet' }] });
      expect(await json(['apply', file('config')], { as: 'ada' })).toMatchObject({ environments: created });
      const { executors } = await json(['executor', 'list', 'lab'], { as: 'ada' });
      expect(executors).toMatchObject([{ url: 'https://lab.example/tools', version: 1 }]);
      expect(await done(['apply', file('config')], { as: 'ada' })).toContain('executors: 1 as they were');
      writeFileSync(file('config/environments.yaml'), 'environments:\n  lab: { production: no idea }\n');
      const ran = await run(['apply', file('config')], { as: 'ada' });
      expect(ran.exitCode).toBe(1);
      expect(ran.err).toMatch(/line 2, column 22.*production is true or false/);
    });

    it('refuses in a dry run the same as in earnest, and shows the changes made before a refusal', async () => {
      mkdirSync(file('half'));
      writeFileSync(file('half/environments.yaml'), 'environments:\n  half: { production: false }\n');
      const executors = 'executors:\n  half:\n    good: { kind: http, url: "https://good.example/" }\n';
      writeFileSync(file('half/executors.yaml'), `${executors}    bad: { kind: http, url: "http://127.0.0.1:9/" }\n`);
      const dry = await run(['apply', file('half'), '--dry-run'], { as: 'ada' });
      expect(dry.exitCode).toBe(1);
      expect(dry.out).toContain('executors.yaml would be refused');
      const position = /half\/executors\.yaml: half\/bad: .*\n.*line 4, column \d+, \/executors\/half\/bad\/url: /;
      expect(dry.err).toMatch(position);
      expect(await done(['environment', 'list'], { as: 'ada' })).not.toContain('half');

      const refused = await run(['apply', file('half')], { as: 'ada' });
      expect(refused.exitCode).toBe(1);
      expect(refused.out).toMatch(/create +half +not production/);
      expect(refused.out).toMatch(/create +half\/good/);
      expect(refused.out).toContain('Applied in part: what stands above is done.');
      expect(refused.err).toMatch(position);
      expect(await done(['environment', 'list'], { as: 'ada' })).toContain('half');
      expect(await done(['executor', 'list', 'half'], { as: 'ada' })).toContain('good.example');
    });
  });

  describe('a document that is wrong', () => {
    it('is refused with 1, at its line', async () => {
      const task = (await json(['submit', 'task', file('task.json')], { as: 'agent' })) as { id: string };
      writeFileSync(
        file('wrong.yaml'),
        'phases:\n  - name: one\n    targets: [web-01]\n    steps:\n      - id: a\n        tool: execute_rolout_prod\n        arguments: {}\n',
      );
      const ran = await run(['submit', 'plan', task.id, file('wrong.yaml')], { as: 'agent' });
      expect(ran.exitCode).toBe(1);
      expect(ran.err).toMatch(/line 6, column 9, \/phases\/0\/steps\/0\/tool: .*execute_rolout_prod/);
    });

    it('that is no YAML is refused with 2, as JSON if that is asked for', async () => {
      writeFileSync(file('broken.yaml'), 'goal: [x\ntask_type: y\n');
      const ran = await run(['--json', 'submit', 'task', file('broken.yaml')], { as: 'agent' });
      expect(ran).toMatchObject({ exitCode: 2, out: '' });
      const { error } = JSON.parse(ran.err) as { error: { details: string[] } };
      expect(error.details[0]).toContain('line 2, column 1');
    });
  });

  describe('the main job', () => {
    it('names the next step: a plan that people have to approve is simulated and asked for', async () => {
      const task = (await json(['submit', 'task', file('task.json')], { as: 'agent' })) as { id: string };
      const submitted = await done(['submit', 'plan', task.id, file('plan.json')], { as: 'agent' });
      expect(submitted).toMatch(/^next: countersign simulate ([0-9a-f-]{36}), then countersign ask \1$/m);
    });

    it('submits, simulates and asks', async () => {
      const task = (await json(['submit', 'task', file('task.json')], { as: 'agent' })) as { id: string };
      const asked = ['submit', 'plan', task.id, file('plan.json'), '--simulate', '--ask'];
      const { plan, simulation, request } = await json(asked, { as: 'agent' });
      expect(simulation).toMatchObject({ state: 'succeeded', plan_id: plan.id, result: { affected_assets: 47 } });
      expect(request).toMatchObject({ state: 'open', subject: { digest: plan.digest } });
      Object.assign(ids, { task: task.id, plan: plan.id, request: request.id, digest: plan.digest });
    });

    it('names the equal plan of the request that was given for another', async () => {
      const other = (await json(['submit', 'task', file('task.json')], { as: 'agent' })) as { id: string };
      const asked = ['submit', 'plan', other.id, file('plan.json'), '--simulate', '--ask'];
      const said = await done(asked, { as: 'agent' });
      expect(said).toContain(`approval request ${ids.request ?? ''} is open`);
      expect(said).toMatch(
        new RegExp(
          `warning: it is the request of plan ${ids.plan ?? ''}, which is equal .*; plan [0-9a-f-]{36} has none`,
        ),
      );
    });

    it('keeps a tool that its plan holds from being loosened, and says so beforehand', async () => {
      mkdirSync(file('looser'));
      const catalog = readFileSync('catalog/adr-009.yaml', 'utf8');
      const [before = '', after = ''] = catalog.split('  execute_rollout_prod:\n');
      const looser = after.replace('idempotent: false', 'idempotent: true');
      writeFileSync(join(file('looser'), 'tools.yaml'), `${before}  execute_rollout_prod:\n${looser}`);
      const dry = await run(['apply', file('looser'), '--dry-run'], { as: 'ada' });
      expect(dry.exitCode).toBe(1);
      expect(dry.out).toMatch(new RegExp(`update +execute_rollout_prod .*REFUSED while .*${ids.plan ?? ''}`));
      const refused = await run(['apply', file('looser')], { as: 'ada' });
      expect(refused.exitCode).toBe(1);
      expect(refused.err).toContain(`  - plan ${ids.plan ?? ''}\n`);
    });

    it('does not start before it is approved', async () => {
      const ran = await run(['run', 'start', ids.plan ?? ''], { as: 'agent' });
      expect(ran.exitCode).toBe(1);
      expect(ran.err).toContain('refused');
    });

    it('shows reviewers the calls of a plan, and the requester’s words as unverified', async () => {
      expect(await done(['requests'], { as: 'sam' })).toContain(ids.request);
      expect(await done(['requests'], { as: 'olga' })).toBe('Nothing waits for your review.\n');
      const shown = await done(['show', 'request', ids.request ?? ''], { as: 'sam' });
      expect(shown).toMatch(/written by .*; not verified:\n {2}│ Remediate drift\n {2}│ approved by everybody\n/);
      expect(shown).toContain('batch 1  web-01…web-05 (5)');
      expect(shown).toMatch(/^asked by +\S.* \(agent [0-9a-f-]{36}\); \S.* answers for it$/m);
      expect(await done(['show', 'task', ids.task ?? ''], { as: 'agent' })).toMatch(
        /^submitted by .* answers for it$/m,
      );
      expect(shown).toMatch(/environments\.production\.mode of the autonomy document, line \d+ of revision 1\n/);
    });

    it('asks for the beginning of the digest', async () => {
      const review = ['review', ids.request ?? '', '--approve'];
      const wrong = await run(review, { as: 'sam', types: '00000000' });
      expect(wrong).toMatchObject({ exitCode: 1, out: '' });
      expect((await run(review, { as: 'sam' })).exitCode).toBe(2);
      expect((await run([...review, '--yes'], { as: 'sam' })).exitCode).toBe(2);
      expect((await run(['review', ids.request ?? '', '--reject'], { as: 'sam' })).exitCode).toBe(2);
      const other = `sha256:${'0'.repeat(64)}`;
      expect((await run([...review, '--yes', '--digest', other], { as: 'sam' })).exitCode).toBe(1);
      const { reviews } = await json(['show', 'request', ids.request ?? ''], { as: 'sam' });
      expect(reviews).toEqual([]);
    });

    it("refuses the agent's owner without asking", async () => {
      const ran = await run(['review', ids.request ?? '', '--approve'], { as: 'olga', types: ids.digest ?? '' });
      expect(ran.exitCode).toBe(1);
      expect(ran.err).toContain('countersign.review.separation_of_duties');
      expect(ran.err).not.toContain('Type the first');
    });

    it('is approved by two, by hand and by script', async () => {
      const digest = ids.digest ?? '';
      const typed = digest.slice('sha256:'.length, 'sha256:'.length + 8);
      const first = await done(['review', ids.request ?? '', '--approve'], { as: 'sam', types: typed });
      expect(await done(['show', 'request', ids.request ?? ''], { as: 'sam' })).toContain('was let in by the operator');
      expect(first).toContain('is open');
      const minted = ['enrol', file('ada2.txt'), '--save-token', file('lead.token'), '--scope', 'read', 'review'];
      const lea = ['--display-name', 'Lea', '--role', 'SRELead', '--save-invitation', file('ada2.txt')];
      const { person_id: leasId } = await json(['invite', 'lea@acme.example', ...lea], { as: 'ada' });
      await letInByOperator(leasId as string, 'ada2.txt');
      await done(minted, {});
      // A role that was gained after the request was opened does not count for it.
      const late = await run(['review', ids.request ?? '', '--approve', '--yes', '--digest', digest], {
        as: 'lead',
      });
      expect(late.exitCode).toBe(1);
      const again = ['submit', 'plan', ids.task ?? '', file('plan.json'), '--simulate', '--ask'];
      const { plan, request } = await json(again, { as: 'agent' });
      Object.assign(ids, { plan: plan.id, request: request.id });
      for (const as of ['sam', 'lead']) {
        await done(['review', request.id as string, '--approve', '--yes', '--digest', plan.digest as string], { as });
      }
    });

    it('is watched to its end', async () => {
      expect((await run(['watch', ids.request ?? ''], { as: 'sam' })).exitCode).toBe(0);
      const { items } = await json(['runs', '--plan', ids.plan ?? ''], { as: 'agent' });
      const [live] = items as { id: string }[];
      const watched = await done(['--json', 'watch', live?.id ?? ''], { as: 'agent' });
      const lines = watched
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { event?: { type: string }; run?: unknown });
      expect(lines[0]?.event?.type).toBe('run.created');
      expect(lines.at(-1)?.run).toMatchObject({ state: 'completed' });
      expect(await done(['show', 'run', live?.id ?? ''], { as: 'agent' })).toContain('completed');
      expect(await done(['show', 'task', ids.task ?? ''], { as: 'agent' })).toContain('executed');
    }, 60_000);
  });

  describe('the proof', () => {
    it('is kept, and checks offline', async () => {
      const pack = file('evidence.json');
      await done(['evidence', ids.plan ?? '', '--output', pack], { as: 'rita' });
      expect(statSync(pack).mode & 0o777).toBe(0o600);
      expect((await run(['evidence', ids.plan ?? '', '--output', pack], { as: 'rita' })).exitCode).toBe(2);
      writeFileSync(file('keys.txt'), await done(['audit', 'keys'], { as: 'rita' }));
      const verified = await run(['verify', pack, '--key', file('keys.txt')]);
      expect(verified.exitCode).toBe(0);
      expect(verified.out).toContain('Verified.');
      expect(verified.out).toMatch(/ok {4}Assembled \d{4}-\d\d-\d\dT\S+, as entry \d+ of a log of \d+ \(epoch 1\)/);
      expect(verified.out).toMatch(/as it stood when they were assembled \(\d{4}-/);
      expect(verified.out).toMatch(/ok {4}\d+ decisions taken again from the recorded facts, with the same result\./);
    });

    it('outlives the key that signed it', async () => {
      const retired = readFileSync(file('keys.txt'), 'utf8');
      const { key } = await json(['audit-key', 'rotate'], { as: 'ada' });
      expect(retired).not.toContain(key);
      const published = await done(['audit', 'keys'], { as: 'rita' });
      expect(published).toContain(key);
      writeFileSync(file('keys.txt'), published);
      expect((await run(['verify', file('evidence.json'), '--key', file('keys.txt')])).exitCode).toBe(0);
    });

    it('fails with one byte flipped, with 3 and the first thing that is wrong', async () => {
      const bytes = readFileSync(file('evidence.json'));
      const at = bytes.length >> 1;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(file('flipped.json'), bytes);
      const ran = await run(['verify', file('flipped.json'), '--key', file('keys.txt')]);
      expect(ran.exitCode).toBe(3);
      expect(ran.out).toContain('FAIL');
    });

    it('needs no server, no configuration and no folder of its own', () => {
      const script = join(compiledPackage(), 'dist', 'programs', 'cli', 'main.js');
      const verify = (pack: string) =>
        spawnSync(process.execPath, [script, 'verify', pack, '--key', 'keys.txt', '--json'], {
          cwd: folder,
          env: {},
          encoding: 'utf8',
        });
      const whole = verify('evidence.json');
      expect([whole.status, whole.stderr]).toEqual([0, '']);
      expect(whole.stdout).not.toMatch(/"[a-z]+[A-Z]\w*":/);
      const report = JSON.parse(whole.stdout) as { documents: { kind: string }[] };
      const decisions = report.documents.filter(({ kind }) => kind === 'decision').length;
      expect(decisions).toBeGreaterThan(5);
      expect(report).toMatchObject({ ok: true, subject: { id: ids.plan }, decisions: { again: decisions, masked: 0 } });
      expect(verify('flipped.json').status).toBe(3);
    });

    it('exports entries by action and by actor, to a new file alone', async () => {
      expect(await done(['audit', 'actions'], { as: 'rita' })).toMatch(/^review\.submitted$/m);
      const asked = ['audit', 'export', '--format', 'jsonl', '--output', file('entries.jsonl')];
      await done([...asked, '--action', 'plan.validated', '--agent', 'drift-bot'], { as: 'rita' });
      const lines = readFileSync(file('entries.jsonl'), 'utf8').trimEnd().split('\n');
      const actions = lines.map((line) => (JSON.parse(line) as { header: { action: string } }).header.action);
      expect(new Set(actions)).toEqual(new Set(['plan.validated']));
      expect((await run(asked, { as: 'rita' })).err).toContain('file.exists');
    });

    it('carries a checkpoint that was held', async () => {
      await done(['audit', 'checkpoint', '--output', file('checkpoint.txt')], { as: 'rita' });
      const pack = file('held.json');
      await done(['evidence', ids.plan ?? '', '--output', pack, '--held', file('checkpoint.txt')], { as: 'rita' });
      const options = ['--key', file('keys.txt'), '--checkpoint', file('checkpoint.txt')];
      expect((await run(['verify', pack, ...options])).exitCode).toBe(0);
    });
  });

  describe('a refusal of reviewers', () => {
    it('ends the watching command with 5, also if a start time was asked for', async () => {
      const task = (await json(['submit', 'task', file('task.json')], { as: 'agent' })) as { id: string };
      const asked = ['submit', 'plan', task.id, file('plan.json'), '--simulate', '--ask', '--start'];
      const vague = await run([...asked, 'tonight'], { as: 'agent' });
      expect([vague.exitCode, vague.err]).toEqual([2, expect.stringContaining('or a time with its offset')]);
      const soon = new Date(Math.ceil(Date.now() / 60_000 + 10) * 60_000);
      const inBerlin = new Date(soon.getTime() + 3_600_000).toISOString().replace(/:00\.000Z$/, '+01:00');
      const { request } = await json([...asked, inBerlin], { as: 'agent' });
      expect(request).toMatchObject({ start: 'at', start_at: soon.toISOString() });
      const silent = await run(['review', request.id as string, '--reject'], { as: 'sam' });
      expect([silent.exitCode, silent.err]).toEqual([2, expect.stringContaining('Say what is wrong with it.')]);
      const rejected = await done(['review', request.id as string, '--reject', '--comment', 'Not today.'], {
        as: 'sam',
      });
      expect(rejected).toContain('is rejected');
      expect((await run(['watch', request.id as string], { as: 'agent' })).exitCode).toBe(5);
    });
  });

  describe('a halt', () => {
    it('is set, listed and lifted', async () => {
      const said = await done(['halt', 'environment', 'staging', '--reason', 'a drill'], { as: 'ada' });
      expect(said).toContain(`a person who is ${LIFTING_ROLES.join(' or ')} lifts it with: countersign halt-lift`);
      const id = /halt-lift (\S+)/.exec(said)?.[1] ?? '';
      expect(await done(['halts'], { as: 'ada' })).toContain('a drill');
      await done(['halt-lift', id, '--note', 'over'], { as: 'ada' });
      expect(await done(['halts'], { as: 'ada' })).toBe('No halt is in force.\n');
    });
  });

  it('ends with 4 if nothing answers', async () => {
    const port = await serverPort();
    const ran = await run(['--url', `http://127.0.0.1:${String(port)}`, '--json', 'whoami'], { as: 'ada' });
    expect(ran.exitCode).toBe(4);
    expect(JSON.parse(ran.err)).toMatchObject({ error: { code: 'connection.failed' } });
  }, 20_000);

  it('ends with 2 for an unknown command, and with 0 for help', async () => {
    expect((await run(['frobnicate'])).exitCode).toBe(2);
    expect((await run(['review', 'x', '--approve', '--reject'])).exitCode).toBe(2);
    const help = await run(['submit', 'plan', '--help']);
    expect(help.exitCode).toBe(0);
    expect(help.out).toContain('Examples:');
  });
});
