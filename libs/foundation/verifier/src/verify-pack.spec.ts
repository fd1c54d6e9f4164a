import { constants } from 'node:buffer';
import fc from 'fast-check';
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson, type Json, type JsonObject } from '#lib/canonical';
import { MAX_EXPANDED_CALLS } from '#lib/formats';
import { documentDigest, entryLeafHash } from './audit-entry.js';
import { ASSEMBLED_ACTION } from './check-documents.js';
import {
  assemblyOf,
  everyChange,
  type FakeEvent,
  fileOf,
  inclusionOf,
  jsonOf,
  leavesOf,
  noteOf,
  packOf,
  person,
  PLAN,
  proven,
  rootOf,
  TENANT,
} from './fake-pack.js';
import { answerOf, KEY, REQUEST, told } from './fake-signed-act.js';
import { EVENTS, failureOf, honest, plan, SIGNER, tool, verify, verifyOf } from './fake-verification.js';
import type { Pack, PackDocument } from './pack-shape.js';
import { MAX_PACK_BYTES, MAX_PACK_VALUES, parsePack, RESULTS_OF_PLAN } from './parse-pack.js';
import type { VerificationReport, VerifyOptions } from './verify-pack.js';
import { timesInputs } from '../../../../test/arbitraries/times-inputs.js';

/** The pack's JSON with the value at a path changed. */
function changed(value: Json, [key, ...path]: readonly (string | number)[], change: (value: Json) => Json): Json {
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item, index) => (index === key ? changed(item, path, change) : item));
  const object = value as JsonObject;
  return { ...object, [key]: changed(object[key] ?? null, path, change) };
}
const refusalAt = async (
  path: readonly (string | number)[],
  change: (value: Json) => Json,
): Promise<VerificationReport['failure']> => (await verify(fileOf(changed(jsonOf(honest()), path, change)))).failure;

describe('an honest pack', () => {
  it('is verified, from the trusted key to its story', async () => {
    const pack = honest();
    const leaves = leavesOf(pack);
    expect(await verifyOf(pack)).toEqual({
      outcome: 'verified',
      failure: null,
      warnings: [],
      passed: [
        'The pack is canonical JSON of a known format.',
        '1 checkpoint signed by a trusted key.',
        '4 audit entries proven to be in the log; no payload was changed.',
        '2 documents covered by proven entries; nothing that was assembled is missing.',
        'Assembled 2026-11-22T00:00:03.000Z, as entry 4 of a log of 4 (epoch 1): of what came later, this pack says nothing.',
      ],
      tenantId: TENANT,
      subject: PLAN,
      checkpoints: [
        {
          origin: 'countersign/tenant-1/1',
          treeSize: 4,
          rootHash: bytesToHex(rootOf(leaves)),
          keyName: SIGNER.name,
        },
      ],
      assembled: { entryId: 'entry-3', occurredAt: '2026-11-22T00:00:03.000Z', epoch: 1, leafIndex: 3, treeSize: 4 },
      entries: pack.entries.map(({ header }) => header),
      notThere: [],
      notMade: [],
      documents: [
        {
          kind: 'plan',
          id: 'plan-1',
          digest: documentDigest('plan', plan.document),
          entryId: 'entry-1',
          action: 'plan.validated',
          occurredAt: '2026-11-22T00:00:01.000Z',
        },
        {
          kind: 'tool',
          id: 'patch@1',
          digest: documentDigest('tool', tool.document),
          entryId: 'entry-3',
          action: ASSEMBLED_ACTION,
          occurredAt: '2026-11-22T00:00:03.000Z',
        },
      ],
      decisions: { again: 0, masked: 0, maskedAlike: 0, unanswered: 0 },
      approvals: [],
    });
  });

  it('counts one entry and one document in words', async () => {
    const { passed } = await verifyOf(honest([], [tool]));
    // The assembly of nothing names no entry, so the pack names itself.
    expect(passed).toContain('1 audit entry proven to be in the log; no payload was changed.');
    expect((await verifyOf(honest(EVENTS, []))).passed).toContain(
      '1 document covered by proven entries; nothing that was assembled is missing.',
    );
  });

  it('is incomplete if payloads were erased before', async () => {
    const opened: FakeEvent = {
      action: 'approval_request.opened',
      subject: { type: 'approval_request', id: 'r' },
      erased: true,
    };
    const report = await verifyOf(honest([...EVENTS, opened]));
    expect(report).toMatchObject({ outcome: 'incomplete', failure: null });
    expect(report.notThere).toHaveLength(1);
    expect(report.notMade).toHaveLength(2);
  });

  const sources = { 'plan.rego': 'package plan' };
  const revision = documentDigest('policy', sources);
  const policies: PackDocument[] = [
    { kind: 'policy', id: revision, document: sources },
    { kind: 'policy-wasm', id: revision, document: { wasm_base64: '' } },
  ];
  const base = {
    bundle_revision: revision,
    wasm_digest: 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    entrypoint: 'plan',
    result: null,
  };
  const decided = (id: string, more: JsonObject, input: Json): PackDocument[] => [
    { kind: 'decision', id, document: { ...base, input_digest: documentDigest('policy-input', input), ...more } },
    { kind: 'policy-input', id, document: input },
  ];

  it('tells of decisions taken again, of masked ones and of denies without a policy', async () => {
    const masked = { masked_input_digest: documentDigest('policy-input', '[masked]') };
    const denied = { outcome: 'deny', reasons: [{ rule: 'countersign.fail_closed' }] };
    const documents: PackDocument[] = [
      ...policies,
      ...decided('d-1', {}, 1),
      ...decided('d-2', masked, '[masked]'),
      ...decided('d-3', masked, '[masked]'),
      ...decided('d-4', { result: denied }, 1),
    ];
    const replay: VerifyOptions['replay'] = ({ decisions }) =>
      Promise.resolve(decisions.map((_, offset) => offset < 2));
    const report = await verifyOf(honest(EVENTS, documents), { replay });
    expect(report.decisions).toEqual({ again: 1, masked: 2, maskedAlike: 1, unanswered: 1 });
    expect(report.passed.slice(5)).toEqual([
      '1 decision taken again from the recorded facts, with the same result.',
      '2 decisions could not be taken again to the letter, since secrets are masked in the facts; 1 come out alike without them.',
      '1 deny given because no policy answered.',
    ]);
    const denies = [...decided('d-4', { result: denied }, 1), ...decided('d-5', { result: denied }, 1)];
    expect((await verifyOf(honest(EVENTS, denies))).passed.slice(5)).toEqual([
      '2 denies given because no policy answered.',
    ]);
  });

  it('of a change tells the story of the change', async () => {
    const subject = { type: 'change_request', id: 'change-1' } as const;
    const change: PackDocument = { kind: 'change-request', id: subject.id, document: { requested_by: 'ada' } };
    const events: FakeEvent[] = [{ action: 'change.requested', actor: person('ada'), subject, fixes: [change] }];
    const unassembled = await verifyOf(proven(packOf(events, { subject }), SIGNER));
    expect(unassembled.failure?.message).toBe('No entry says that evidence of the change change-1 was assembled.');
    const blank = await verifyOf(
      proven(packOf([...events, { ...assemblyOf(events), subject, erased: true }], { subject }), SIGNER),
    );
    expect(blank.failure?.message).toContain('`countersign changes evidence change-1 --output FILE`');
    const assembly = { ...assemblyOf(events), subject };
    const report = await verifyOf(proven(packOf([...events, assembly], { subject }), SIGNER));
    expect(report).toMatchObject({ outcome: 'verified', subject });
    expect(report.passed.at(-1)).toBe('Asked for by Ada; open, and nothing of it was carried out.');
  });

  it('warns of a break-glass', async () => {
    const run = { type: 'run', id: 'run-1' };
    const incident = {
      ...{ run_id: run.id, plan_id: PLAN.id, plan_digest: documentDigest('plan', plan.document) },
      ...{ invoked_by: 'ada', decision_id: 'd-1' },
    };
    const events: FakeEvent[] = [
      ...EVENTS,
      {
        ...{ action: 'break_glass.invoked', level: 'critical', actor: person('ada') },
        ...{ subject: run, within: [PLAN, run] },
        fixes: [
          { kind: 'incident', id: 'incident-1', document: incident },
          { kind: 'incident-event', id: 'event-1', document: { incident_id: 'incident-1', seq: 1, kind: 'opened' } },
        ],
      },
      { action: 'run.created', subject: run, within: [PLAN, run], payload: { incident_id: 'incident-1' } },
    ];
    const allow = decided('d-1', { entrypoint: 'break_glass', result: { outcome: 'allow' } }, 1);
    const report = await verifyOf(honest(events, [...policies, ...allow]), { replay: () => Promise.resolve([true]) });
    expect(report).toMatchObject({
      failure: null,
      warnings: [
        'BREAK-GLASS: Ada executed this plan without an approval; its incident has 1 entries and was NOT REVIEWED.',
      ],
    });
  });

  it('is compared with the keys that the checker kept', async () => {
    const { review, operation, payload } = told();
    const answer = { kind: 'passkey-assertion', id: 'answer-1', document: answerOf(operation, told()) };
    const fixes = [{ kind: 'review', id: 'review-1', document: review }, answer];
    const act: FakeEvent = {
      action: 'review.submitted',
      actor: person('ada'),
      subject: REQUEST,
      fixes,
      payload: payload ?? {},
    };
    const pack = honest([...EVENTS, act]);
    expect((await verifyOf(pack)).approvals).toMatchObject([{ shownBy: 'pack_key' }]);
    expect((await verifyOf(pack, { approverKeys: [KEY] })).approvals).toMatchObject([{ shownBy: 'kept_key' }]);
  });

  it('shows acts of people, and tells comments', async () => {
    const comment = {
      kind: 'comment',
      id: 'c',
      document: { author: { kind: 'person', id: 'ada' }, subject: { id: PLAN.id }, body: 'x' },
    };
    const events: FakeEvent[] = [
      ...EVENTS,
      { action: 'comment.added', actor: person('ada'), fixes: [comment] },
      { action: 'review.submitted', actor: person('ada'), subject: { type: 'approval_request', id: 'r' } },
    ];
    const report = await verifyOf(honest(events), { approverKeys: [] });
    expect(report.approvals).toMatchObject([{ personId: 'ada', shownBy: 'server' }]);
    expect(report.passed.at(-1)).toMatch(/^Ada commented/);
  });
});

describe('the file of a pack', () => {
  const text = canonicalJson(jsonOf(honest()));
  const codeOf = async (file: string): Promise<string | undefined> =>
    (await verify(new TextEncoder().encode(file))).failure?.code;

  const notJson = (why: string): string =>
    `The file cannot be read as a pack: ${why}. If it was cut off on its way, fetch it again.`;

  it('says why it cannot be read, and the way out', async () => {
    const cut = await verify(new TextEncoder().encode(text.slice(0, -1)));
    expect(cut.failure?.message).toBe(notJson(`expected "," or "}" at position ${String(text.length - 1)}`));
    expect((await verify(new Uint8Array())).failure?.message).toBe(notJson('not a JSON value at position 0'));
  });

  it.each<[code: string, what: string, file: string]>([
    ['pack.not_json', 'one that ends early', text.slice(0, -1)],
    ['pack.not_json', 'nothing', ''],
    ['pack.not_json', 'one that begins with a byte order mark', `\u{feff}${text}`],
    ['pack.not_json', 'half a surrogate pair', text.replace('"patch"', '"\\ud800"')],
    ['pack.duplicate_key', 'a member twice', text.replace('{', '{"checkpoints":[],')],
    ['pack.not_canonical', 'a blank at its end', `${text} `],
  ])('is refused with %s for %s', async (code, _what, file) => {
    expect(await codeOf(file)).toBe(code);
  });

  it('is refused if it is no text, and then tells nothing', async () => {
    expect(await verify(Uint8Array.of(0xff, 0xfe))).toMatchObject({
      outcome: 'refused',
      failure: {
        code: 'pack.not_text',
        message: 'The file is not UTF-8 text. If it is compressed, unpack it first.',
        pointer: '',
      },
      passed: [],
      tenantId: null,
      subject: null,
      assembled: null,
      checkpoints: [],
      entries: [],
      notThere: [],
      notMade: [],
      documents: [],
      decisions: { again: 0, masked: 0, maskedAlike: 0, unanswered: 0 },
      approvals: [],
    });
  });

  it('is refused if its values would fill the memory', async () => {
    const text = new TextEncoder().encode('[0,0,0]');
    expect(() => parsePack(text, 3)).toThrow(
      expect.objectContaining({
        failure: {
          code: 'pack.too_large',
          message: 'The file cannot be read as a pack: more than 3 values at position 5.',
          pointer: '',
        },
      }),
    );
    expect(MAX_PACK_VALUES).toBe(25_000_000);
    expect((await verify({ length: MAX_PACK_BYTES + 1 } as Uint8Array)).failure?.code).toBe('pack.too_large');
  });

  it('has room for the results of the largest plan, in no more text than a string holds', () => {
    expect(RESULTS_OF_PLAN).toBe(2 * MAX_EXPANDED_CALLS);
    expect(MAX_PACK_BYTES).toBe(constants.MAX_STRING_LENGTH);
  });

  it('is read to the depth of every document, and no deeper', async () => {
    const deep = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json;
    const packOfDepth = (levels: number): Pack => honest(EVENTS, [{ ...tool, document: deep(levels) }]);
    expect(await failureOf(packOfDepth(317))).toBeNull();
    expect((await failureOf(packOfDepth(318)))?.code).toBe('pack.not_json');
  });

  it('throws an error that is no refusal', async () => {
    const broken = verify(fileOf(jsonOf(honest())), { trustedKeys: [null as never] });
    await expect(broken).rejects.toThrow(TypeError);
  });

  it.each<[path: readonly (string | number)[], expected: string, change: (value: Json) => Json]>([
    [[], 'an object', () => []],
    [[], 'an object', () => 'pack'],
    [[], 'an object', () => null],
    [['format'], '"countersign.evidence/v2"', () => 'countersign.evidence/v1'],
    [['tenant_id'], 'a string', () => 1],
    [['subject', 'type'], '"plan" or "change_request" or "session" or "automation_run"', () => 'task'],
    [['subject', 'id'], 'a string', () => null],
    [['checkpoints'], 'an array', () => ({})],
    [['checkpoints', 0, 'epoch'], 'a whole number from 1', () => 0],
    [['checkpoints', 0, 'epoch'], 'a whole number from 1', () => 1.5],
    [['checkpoints', 0, 'epoch'], 'a whole number from 1', () => '1'],
    [['checkpoints', 0, 'note'], 'a string', () => null],
    [['consistency'], 'an array', () => null],
    [['entries', 0, 'leaf_index'], 'a whole number from 0', () => -1],
    [['entries', 1, 'epoch'], 'a whole number from 1', () => 0],
    [['entries', 0, 'facts'], 'an object', () => []],
    [['entries', 0, 'facts', 'salt'], '64 hexadecimal digits', (salt) => `${salt as string}0`],
    [['entries', 0, 'facts', 'salt'], '64 hexadecimal digits', (salt) => `0${salt as string}`],
    [['entries', 0, 'facts', 'salt'], '64 hexadecimal digits', () => 'A'.repeat(64)],
    [['entries', 0, 'inclusion', 0], '64 hexadecimal digits', () => ''],
    [['entries', 0, 'header', 'format'], '"countersign.audit-entry/v2"', () => 'x'],
    [['entries', 0, 'header', 'tenant_id'], 'a string', () => 1],
    [['entries', 0, 'header', 'id'], 'a string', () => 1],
    [['entries', 0, 'header', 'occurred_at'], 'a string', () => 1],
    [['entries', 0, 'header', 'level'], 'a string', () => 1],
    [['entries', 0, 'header', 'action'], 'a string', () => 1],
    [['entries', 0, 'header', 'actor', 'kind'], 'a string', () => 1],
    [['entries', 0, 'header', 'actor', 'id'], 'a string', () => 1],
    [['entries', 0, 'header', 'actor', 'display_name'], 'a string', () => 1],
    [['entries', 0, 'header', 'actor', 'credential_id'], 'a string', () => 1],
    [['entries', 0, 'header', 'actor', 'on_behalf_of'], 'a string', () => 1],
    [['entries', 0, 'header', 'subject', 'type'], 'a string', () => 1],
    [['entries', 0, 'header', 'within', 0, 'id'], 'a string', () => 1],
    [['entries', 0, 'header', 'decision_id'], 'a string', () => 1],
    [['entries', 1, 'header', 'evidence', 0, 'kind'], 'a string', () => 1],
    [['entries', 1, 'header', 'evidence', 0, 'id'], 'a string', () => 1],
    [['entries', 1, 'header', 'evidence', 0, 'digest'], 'a digest', (digest) => `${digest as string}0`],
    [['entries', 1, 'header', 'evidence', 0, 'digest'], 'a digest', (digest) => `x${digest as string}`],
    [['entries', 0, 'header', 'payload_digest'], 'a digest', () => 'sha256:'],
    [['documents', 0, 'kind'], 'a string', () => 1],
    [['documents', 0, 'id'], 'a string', () => 1],
  ])('is refused if %j is not %s', async (path, expected, change) => {
    const pointer = path.map((key) => `/${String(key)}`).join('');
    expect(await refusalAt(path, change)).toEqual({
      code: 'pack.format',
      message: `${pointer === '' ? 'The pack' : pointer}: expected ${expected}`,
      pointer,
    });
  });

  it.each<[path: readonly (string | number)[]]>([
    [[]],
    [['subject']],
    [['checkpoints', 0]],
    [['entries', 0]],
    [['entries', 0, 'facts']],
    [['entries', 0, 'header']],
    [['entries', 0, 'header', 'actor']],
    [['entries', 0, 'header', 'subject']],
    [['entries', 0, 'header', 'within', 0]],
    [['entries', 1, 'header', 'evidence', 0]],
    [['documents', 0]],
  ])('has exactly the known members at %j', async (path) => {
    const pointer = path.map((key) => `/${String(key)}`).join('');
    expect(await refusalAt(path, (value) => ({ ...(value as JsonObject), more: null }))).toEqual({
      code: 'pack.format',
      message: `${pointer}/more: expected nothing: no such member is known`,
      pointer: `${pointer}/more`,
    });
    const [first = ''] = Object.keys(
      path.reduce<Json>((value, key) => (value as never)[key], jsonOf(honest())) as JsonObject,
    );
    const without = await refusalAt(path, (value) =>
      Object.fromEntries(Object.entries(value as JsonObject).filter(([key]) => key !== first)),
    );
    expect(without).toMatchObject({ code: 'pack.format', message: `${pointer}/${first}: expected a value` });
  });

  it('names a consistency proof exactly too', async () => {
    const earlier = { epoch: 1, note: 'note', proof: ['00'] };
    const refused = async (changes: JsonObject): Promise<unknown> =>
      (await refusalAt(['consistency'], () => [{ ...earlier, ...changes }]))?.pointer;
    expect(await refused({})).toBe('/consistency/0/proof/0');
    expect(await refused({ epoch: 0 })).toBe('/consistency/0/epoch');
    expect(await refused({ note: 1 })).toBe('/consistency/0/note');
    expect(await refused({ more: 1 })).toBe('/consistency/0/more');
  });
});

describe('the entries of a pack', () => {
  const pack = honest();
  const [first] = pack.entries;
  if (first === undefined) throw new Error('the pack has no entry');

  it.each<[code: string, pointer: string, what: string, entries: Pack['entries']]>([
    ['entry.order', '/entries/1', 'one twice', [first, ...pack.entries]],
    ['entry.order', '/entries/1', 'two exchanged', [...pack.entries].reverse()],
    [
      'entry.inclusion',
      '/entries/0',
      'a changed header',
      [{ ...first, header: { ...first.header, action: 'x' } }, ...pack.entries.slice(1)],
    ],
    ['entry.inclusion', '/entries/0', 'another place', [{ ...first, leafIndex: 1 }, ...pack.entries.slice(2)]],
    ['entry.inclusion', '/entries/0', 'no proof', [{ ...first, inclusion: [] }, ...pack.entries.slice(1)]],
    [
      'entry.payload',
      '/entries/0/facts',
      'another payload',
      [{ ...first, facts: { salt: new Uint8Array(32).fill(1), payload: { x: 1 } } }, ...pack.entries.slice(1)],
    ],
    [
      'entry.payload',
      '/entries/0/facts',
      'another salt',
      [{ ...first, facts: { salt: new Uint8Array(32), payload: {} } }, ...pack.entries.slice(1)],
    ],
    ['entry.missing', '/entries', 'one left out', pack.entries.slice(1)],
    [
      'entry.payload_missing',
      '/entries/0/facts',
      'a blank payload',
      [{ ...first, facts: null }, ...pack.entries.slice(1)],
    ],
    ['pack.not_assembled', '/subject', 'no assembly', pack.entries.slice(0, -1)],
  ])('are refused with %s at %s for %s', async (code, pointer, _what, entries) => {
    expect(await failureOf({ ...pack, entries })).toMatchObject({ code, pointer });
  });

  it('are refused if one is of another tenant, even if its proof holds', async () => {
    const header = { ...first.header, tenant_id: 'tenant-2' };
    const foreign = proven({ ...pack, entries: [{ ...first, header }, ...pack.entries.slice(1)] }, SIGNER);
    expect(await failureOf(foreign)).toMatchObject({ code: 'entry.other_tenant', pointer: '/entries/0' });
  });

  it('stand in the order of epochs, and of places in each', async () => {
    const [a, b, c, d] = pack.entries;
    if (a === undefined || b === undefined || c === undefined || d === undefined)
      throw new Error('the pack is too short');
    // The first two entries are the log of epoch 1, the others that of epoch 2.
    const epochs = [
      [a, b],
      [c, d],
    ].map((entries) => entries.map(({ header }) => entryLeafHash(header)));
    const entryAt = (entry: typeof a, epoch: number, leafIndex: number): typeof a => ({
      ...entry,
      epoch,
      leafIndex,
      inclusion: inclusionOf(leafIndex, epochs[epoch - 1] ?? []),
    });
    const checkpoints = epochs.map((leaves, index) => ({ epoch: index + 1, note: noteOf(leaves, SIGNER, index + 1) }));
    const entries = [entryAt(a, 1, 0), entryAt(b, 1, 1), entryAt(c, 2, 0), entryAt(d, 2, 1)];
    expect(await failureOf({ ...pack, checkpoints, entries })).toBeNull();
    const [one, two, three, four] = entries;
    if (one === undefined || two === undefined || three === undefined || four === undefined)
      throw new Error('too short');
    expect(await failureOf({ ...pack, checkpoints, entries: [three, one, two, four] })).toMatchObject({
      code: 'entry.order',
      pointer: '/entries/1',
    });
    expect((await verifyOf({ ...pack, checkpoints, entries })).assembled).toMatchObject({
      epoch: 2,
      leafIndex: 1,
      treeSize: 2,
    });
  });
});

test('any value of a pack changed, dropped or added breaks it', async () => {
  let changes = 0;
  for (const broken of everyChange(jsonOf(honest()))) {
    changes += 1;
    expect((await verify(fileOf(broken))).outcome).toBe('refused');
  }
  expect(changes).toBeGreaterThan(200);
});

test('one flipped bit anywhere in the file breaks it', async () => {
  const bytes = fileOf(jsonOf(honest()));
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }), async (position, bit) => {
      const flipped = Uint8Array.from(bytes, (byte, offset) => (offset === position ? byte ^ (1 << bit) : byte));
      const report = await verify(flipped);
      expect(report.outcome).toBe('refused');
      expect(report.failure?.code).toMatch(/^[a-z_]+\.[a-z_]+$/);
    }),
    { numRuns: timesInputs(125) },
  );
});
