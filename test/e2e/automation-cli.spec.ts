import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { AutomationRunId, TenantId } from '#lib/kernel';
import { replayDecisions } from '#lib/verifier';
import type { AutomationId } from '#lib/automation';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { farSchedule } from '../support/far-schedule.js';
import { serverPort } from '../support/server-port.js';
import { expectStatus, testApi, type TestApi } from '../support/api.js';

const SOURCE = `name: nightly
environment: staging
triggers: [{ type: cron, schedule: "${farSchedule()}", time_zone: Europe/Berlin, missed: run_once }]
on_blocked: skip
steps:
  - { id: restart, type: tool_action, tool: restart, arguments: { service: web } }
  - { id: tell, type: notify, message: It is night. }
`;
const TOOL = {
  ...{ description: 'Restarts.', effect: 'modify', risk: 'state_change_nonprod', idempotent: true, scope: 'asset' },
  ...{ simulation: 'not_applicable', requires_plan: false, requires_hitl: 'configurable' },
  identity_fields: ['/service'],
  parameters: {
    type: 'object',
    properties: { service: { type: 'string', maxLength: 100 } },
    required: ['service'],
    additionalProperties: false,
  },
};

describe('automations on the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-automations-'));
  const file = (name: string): string => join(folder, name);
  let api: TestApi;
  let baseUrl: string;
  let tenantId: TenantId;

  const run = async (...argv: readonly string[]) => {
    let [out, err] = ['', ''];
    const exitCode = await runCommandLine(argv, {
      environment: { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN_FILE: file('ada.token') },
      out: (text) => (out += text),
      err: (text) => (err += text),
      readLine: () => Promise.resolve(null),
      readAll: () => Promise.resolve(SOURCE),
      pieces: () => Readable.from([]),
      replay: (job) => Promise.resolve(replayDecisions(job)),
    });
    return { exitCode, out: stripVTControlCharacters(out), err: stripVTControlCharacters(err) };
  };

  beforeAll(async () => {
    const port = await serverPort();
    baseUrl = `http://127.0.0.1:${String(port)}`;
    api = await testApi({ config: { publicUrl: baseUrl } });
    await api.app.listen(port, '127.0.0.1');
    const { admin, id } = await api.tenant();
    tenantId = id;
    writeFileSync(file('ada.token'), admin.token, { mode: 0o600 });
    writeFileSync(file('nightly.yaml'), SOURCE);
    expectStatus(await api.http(admin.token).put('/v1/tools/restart', TOOL), 200);
  }, 60_000);
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are proposed, shown, enabled with the source that was seen, listed and disabled', async () => {
    expect((await run('automation', 'list')).out).toBe('There is no automation.\n');
    const proposed = await run('automation', 'propose', file('nightly.yaml'));
    expect(proposed).toMatchObject({ exitCode: 0, err: '' });
    expect(proposed.out).toContain('restart would be blocked: Tool restart is not in the automation-safe modify list');
    const [, id = ''] = /automation nightly is proposed: (\S+)/.exec(proposed.out) ?? [];
    const shown = await run('automation', 'show', id);
    expect(shown.out).toContain(SOURCE);
    const [, source = ''] = /source ([0-9a-f]{64})/.exec(shown.out) ?? [];
    const other = await run('automation', 'enable', id, '--source', 'a'.repeat(64));
    expect(other.err).toContain('automation.other_source');
    const enabled = await run('automation', 'enable', id, '--source', source);
    expect(enabled.out).toMatch(/^automation nightly is enabled, and runs next at .+\.\n$/);
    expect((await run('automation', 'list')).out).toMatch(/nightly +staging +enabled/);
    expect((await run('automation', 'runs', id)).out).toBe('It has not run yet.\n');
    writeFileSync(file('changed.yaml'), SOURCE.replace('It is night.', 'It is late.'));
    const change = (seen: string) => run('automation', 'change', id, file('changed.yaml'), '--source', seen);
    expect((await change('a'.repeat(64))).err).toContain('automation.other_source');
    expect((await change(source)).out).toMatch(/^automation nightly is at revision 2\.\n +restart would be blocked/);
    expect((await change(source)).err).toContain('automation.other_source');
    expect((await run('automation', 'disable', id)).out).toBe('automation nightly is disabled.\n');
    const again = await run('automation', 'propose', '-');
    expect(again.err).toContain('There is an automation nightly already.');
  });

  it('are validated without a trace, and show the steps of a run', async () => {
    writeFileSync(file('other.yaml'), SOURCE.replace('nightly', 'other'));
    const validated = await run('automation', 'validate', file('other.yaml'));
    expect(validated.out).toMatch(/^The automation is valid\.\n +restart would be blocked/);
    expect((await run('automation', 'list')).out).not.toContain('other');
    writeFileSync(file('wrong.yaml'), 'name: [');
    expect((await run('automation', 'validate', file('wrong.yaml'))).err).toContain('automation.unreadable');
    const proposed = await run('automation', 'propose', file('other.yaml'), '--json');
    const { id, source_sha256: seen } = JSON.parse(proposed.out) as { id: AutomationId; source_sha256: string };
    await run('automation', 'enable', id, '--source', seen);
    await api.db.owner.query(
      `update automation set looked_until = now() - interval '25 hours', next_at = now() where id = $1`,
      [id],
    );
    const { triggerAutomation, advanceAutomationRun } = api.installation.automation;
    await triggerAutomation.execute(tenantId, id);
    const runs = await run('automation', 'runs', id, '--json');
    const [first] = (JSON.parse(runs.out) as { items: [{ id: AutomationRunId }] }).items;
    await advanceAutomationRun.execute(tenantId, first.id);
    const shown = await run('automation', 'run', id, first.id);
    expect(shown.out).toMatch(/^run of .+, revision 1: completed\.\n/);
    expect(shown.out).toMatch(
      /restart +blocked +Tool restart is not in the automation-safe modify list\ntell +succeeded/,
    );
  });

  it('are withdrawn before they are enabled, so that their name is free again', async () => {
    writeFileSync(file('gone.yaml'), SOURCE.replace('nightly', 'gone'));
    const propose = async (): Promise<{ id: string; source_sha256: string }> =>
      JSON.parse((await run('automation', 'propose', file('gone.yaml'), '--json')).out) as {
        id: string;
        source_sha256: string;
      };
    const { id } = await propose();
    const withdrawn = await run('automation', 'withdraw', id);
    expect(withdrawn).toEqual({
      ...{ exitCode: 0, err: '', out: 'automation gone is withdrawn, and its name is free again.\n' },
    });
    const again = await propose();
    expect((await run('automation', 'enable', again.id, '--source', again.source_sha256)).exitCode).toBe(0);
    const late = await run('automation', 'withdraw', again.id);
    expect(late.exitCode).not.toBe(0);
    expect(late.err).toContain('automation.not_proposed');
  });

  it('prove a run by an evidence pack, which is written once and verified', async () => {
    writeFileSync(file('proven.yaml'), SOURCE.replace('nightly', 'proven'));
    const proposed = await run('automation', 'propose', file('proven.yaml'), '--json');
    const { id, source_sha256: seen } = JSON.parse(proposed.out) as { id: AutomationId; source_sha256: string };
    await run('automation', 'enable', id, '--source', seen);
    await api.db.owner.query(
      `update automation set looked_until = now() - interval '25 hours', next_at = now() where id = $1`,
      [id],
    );
    const { triggerAutomation, advanceAutomationRun } = api.installation.automation;
    await triggerAutomation.execute(tenantId, id);
    const runs = await run('automation', 'runs', id, '--json');
    const [first] = (JSON.parse(runs.out) as { items: [{ id: AutomationRunId }] }).items;
    await advanceAutomationRun.execute(tenantId, first.id);
    const pack = file('evidence.json');
    const kept = await run('automation', 'evidence', first.id, '--output', pack);
    expect(kept.err).toBe('');
    expect(kept.out).toContain(`The evidence of run ${first.id} is in ${pack}`);
    expect(JSON.parse(readFileSync(pack, 'utf8'))).toMatchObject({ subject: { type: 'automation_run', id: first.id } });
    expect((await run('automation', 'evidence', first.id, '--output', pack)).exitCode).not.toBe(0);
    writeFileSync(file('keys.txt'), (await run('audit', 'keys')).out);
    const verified = await run('verify', pack, '--key', file('keys.txt'));
    expect(verified.out).toContain(`about the run of an automation ${first.id}`);
    expect(verified.exitCode).toBe(0);
  });

  it('call tools of a list, each at the version that somebody looked at', async () => {
    const environment = ['--environment', 'staging'];
    expect((await run('automation', 'safe-tools', ...environment)).out).toMatch(/restart@1 +modify +blocked/);
    expect((await run('automation', 'safe-list')).out).toBe('The list is empty.\n');
    const added = await run('automation', 'safe-add', 'restart@1');
    expect(added.out).toContain('Automations may call restart, version 1.');
    expect((await run('automation', 'safe-list')).out).toMatch(/restart@1 +state_change_nonprod/);
    expect((await run('automation', 'safe-add', 'restart')).exitCode).not.toBe(0);
    expect((await run('automation', 'safe-remove', 'restart')).out).toBe(
      'Automations may not call restart any more.\n',
    );
    expect((await run('automation', 'safe-list')).out).toBe('The list is empty.\n');
  });
});
