import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { canonicalJson, type Json } from '#lib/canonical';
import { replayDecisions } from '#lib/verifier';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { expectStatus, testApi, type TestApi } from '../support/api.js';
import { predictingToolServer } from '../support/equipped-tenant.js';
import { populatedTenant, type PopulatedTenant } from '../support/populated-tenant.js';
import { verifiedBy } from '../support/verified-by.js';

interface Entry {
  header: { id: string; action: string; subject: { id: string } };
  facts: { payload: Record<string, unknown> } | null;
}
interface Pack {
  entries: Entry[];
}

const ASSEMBLED = 'evidence_pack.assembled';
const STORY = ['approval_request.opened', 'review.submitted', 'approval_request.approved', 'approval_request.consumed'];

let api: TestApi;
let toolServer: Awaited<ReturnType<typeof predictingToolServer>>;
let world: PopulatedTenant;
const folder = mkdtempSync(join(tmpdir(), 'countersign-t41-'));

beforeAll(async () => {
  toolServer = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(toolServer.port)}`] } });
}, 120_000);
// A payload that is erased for good would be gone for the next test, too.
beforeEach(async () => {
  world = await populatedTenant(api, toolServer.port);
}, 120_000);
afterAll(async () => {
  await api.close();
  await toolServer.close();
  rmSync(folder, { recursive: true });
});

const packOf = async (kind: 'plans' | 'change-requests'): Promise<string> =>
  expectStatus(
    await world.everything.post(`/v1/${kind}/${world.ids[kind === 'plans' ? 'plan' : 'change'] ?? ''}/evidence`, {}),
    200,
  ).text;
const edited = (text: string, edit: (pack: Pack) => void): string => {
  const pack = JSON.parse(text) as Pack;
  edit(pack);
  return canonicalJson(pack as unknown as Json);
};
const blanked = (text: string, which: (entry: Entry, index: number) => boolean): string =>
  edited(text, ({ entries }) => {
    entries.forEach((entry, index) => {
      if (which(entry, index)) entry.facts = null;
    });
  });
const outcomeOf = async (text: string): Promise<string> => {
  const { outcome, failure } = await verifiedBy(world.everything, text);
  return failure?.code ?? outcome;
};
/** Erased in the database, as the retention rule erases. */
const erase = (...actions: string[]) =>
  api.db.owner.query('update audit_entry set salt = null, payload = null where tenant_id = $1 and action = any ($2)', [
    world.tenant.id,
    actions,
  ]);

/** `countersign verify`, with the keys that the server publishes. */
async function verifyCommand(pack: string): Promise<{ exitCode: number; out: string }> {
  const { items } = expectStatus(await world.everything.get('/v1/audit/keys'), 200).body as {
    items: { key: string }[];
  };
  const [packFile, keyFile] = [join(folder, 'pack.json'), join(folder, 'keys.txt')];
  writeFileSync(packFile, pack);
  writeFileSync(keyFile, items.map(({ key }) => key).join('\n'));
  let out = '';
  const exitCode = await runCommandLine(['verify', packFile, '--key', keyFile], {
    environment: { NO_COLOR: '1' },
    out: (text) => (out += text),
    err: (text) => (out += text),
    readLine: () => Promise.resolve(null),
    readAll: () => Promise.resolve(''),
    pieces: () => Readable.from([]),
    replay: (job) => Promise.resolve(replayDecisions(job)),
  });
  return { exitCode, out };
}

describe('T41: a holder blanks payloads of a pack', () => {
  it.each(['plans', 'change-requests'] as const)(
    'T41 refuses each payload that is taken out of the pack of %s',
    async (kind) => {
      const whole = await packOf(kind);
      expect(await outcomeOf(whole)).toBe('verified');
      const { entries } = JSON.parse(whole) as Pack;
      expect(entries.length).toBeGreaterThan(1);
      for (const [at, { header }] of entries.entries())
        expect([header.action, await outcomeOf(blanked(whole, (_entry, index) => index === at))]).toEqual([
          header.action,
          at === entries.length - 1 ? 'pack.assembly_erased' : 'entry.payload_missing',
        ]);
      expect(await outcomeOf(blanked(whole, () => true))).toBe('pack.assembly_erased');
      expect(await outcomeOf(blanked(whole, ({ header }) => header.action !== ASSEMBLED))).toBe(
        'entry.payload_missing',
      );
    },
  );

  it('T41 refuses the story of an approval being taken out, and the command ends with 3', async () => {
    const text = blanked(await packOf('plans'), ({ header }) => STORY.includes(header.action));
    const { exitCode, out } = await verifyCommand(text);
    expect([exitCode, out]).toEqual([3, expect.stringContaining('entry.payload_missing')]);
    expect(out).not.toContain('retention rule');
  });

  it('T41 says of truly erased payloads that they are not there, lists the checks not made, and ends with 6', async () => {
    const before = await packOf('plans');
    await erase(...STORY);
    const text = await packOf('plans');
    const { exitCode, out } = await verifyCommand(text);
    expect(exitCode).toBe(6);
    expect(out).toMatch(/The payload of the entry \S+ \(review\.submitted, \S+\) is not there\./);
    expect(out).toMatch(
      /Not checked: the right people, none of them barred, gave the approval \S+ \(story\.quorum\)\./,
    );
    expect(out).not.toMatch(/retention rule|Approved by/);
    // Nothing more goes on the back of it, and nothing comes in from an older pack.
    expect(await outcomeOf(blanked(text, ({ header }) => header.action === 'plan.validated'))).toBe(
      'entry.payload_missing',
    );
    const older = new Map((JSON.parse(before) as Pack).entries.map(({ header, facts }) => [header.id, facts]));
    const grafted = edited(text, ({ entries }) => {
      for (const entry of entries)
        if (entry.header.action === 'review.submitted') entry.facts = older.get(entry.header.id) ?? null;
    });
    expect(await outcomeOf(grafted)).toBe('entry.payload_added');
    // The older pack tells all that it told.
    expect(await outcomeOf(before)).toBe('verified');
  });

  it('T41 holds a pack with two assemblies to its last one, and one that is cut back to its own', async () => {
    const before = await packOf('plans');
    await erase('approval_request.approved');
    const text = await packOf('plans');
    const isFirst = (entry: Entry, entries: readonly Entry[]): boolean =>
      entry.header.id === entries.find(({ header }) => header.action === ASSEMBLED)?.header.id;
    expect((JSON.parse(text) as Pack).entries.filter(({ header }) => header.action === ASSEMBLED)).toHaveLength(2);
    expect(await outcomeOf(text)).toBe('incomplete');
    const { entries } = JSON.parse(text) as Pack;
    expect(await outcomeOf(blanked(text, (entry) => isFirst(entry, entries)))).toBe('entry.payload_missing');
    // Cut back to the first assembly, which says that the approval was there.
    const cut = edited(text, (pack) => {
      pack.entries = pack.entries.slice(0, 1 + pack.entries.findIndex((entry) => isFirst(entry, pack.entries)));
    });
    expect(await outcomeOf(cut)).toBe('entry.payload_missing');
    expect(await outcomeOf(before)).toBe('verified');
  });
});
