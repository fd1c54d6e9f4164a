import type { JsonObject } from '#lib/canonical';
import { documentDigest } from './audit-entry.js';
import { packOf, person, PLAN, type FakeEvent } from './fake-pack.js';
import { RUN, CHANGE, DIGEST, REQUEST, shown, refusalOf, packOfAct } from './fake-signed-act.js';
import type { Pack, PackDocument } from './pack-shape.js';

describe('a signed break-glass', () => {
  const incident: JsonObject = {
    run_id: RUN.id,
    plan_id: PLAN.id,
    plan_digest: DIGEST,
    justification: 'It burns.',
    second_factor: { method: 'passkey' },
  };
  const operation = { kind: 'break_glass', plan_id: PLAN.id, plan_digest: DIGEST, justification: 'It burns.' };
  const invoked: FakeEvent = { action: 'break_glass.invoked', within: [PLAN, RUN] };
  const documentOf = (changes: JsonObject = {}): PackDocument => ({
    kind: 'incident',
    id: 'incident-1',
    document: { ...incident, ...changes },
  });
  const packOfInvocation = (changes: JsonObject = {}, event: FakeEvent = invoked): Pack =>
    packOfAct(event, operation, [documentOf(changes)]);

  it('is shown', () => {
    const other = { ...documentOf({ run_id: 'run-2' }), id: 'incident-0' };
    const pack = packOfAct(invoked, operation, [
      other,
      documentOf(),
      { ...documentOf({ plan_id: 'plan-2' }), kind: 'call' },
    ]);
    expect(shown(pack)).toMatchObject([{ entryId: 'entry-0', lets: true, shownBy: 'pack_key' }]);
    expect(shown(pack)[0]?.line).toMatch(/^Ada broke the glass, signed/);
  });

  it.each<[code: string, what: string, pack: () => Pack]>([
    ['approver.contradiction', 'an incident of another plan', () => packOfInvocation({ plan_id: 'plan-2' })],
    [
      'approver.contradiction',
      'the break-glass of another plan',
      () => packOfInvocation({ plan_id: 'plan-2' }, { ...invoked, within: [{ ...PLAN, id: 'plan-2' }, RUN] }),
    ],
    ['approver.contradiction', 'another second factor', () => packOfInvocation({ second_factor: { method: 'totp' } })],
    ['approver.contradiction', 'no second factor', () => packOfInvocation({ second_factor: null })],
    ['approver.other_operation', 'another justification', () => packOfInvocation({ justification: 'x' })],
    ['approver.other_operation', 'another plan’s digest', () => packOfInvocation({ plan_digest: 'x' })],
    ['approver.other_operation', 'no incident of the run', () => packOfInvocation({ run_id: 'run-2' })],
  ])('is refused with %s for %s', (code, _what, pack) => {
    expect(refusalOf(pack())?.code).toBe(code);
  });

  it('is the word of the server without a signature, by the means that the incident tells', () => {
    const lineOf = (documents: readonly PackDocument[]): string | undefined =>
      shown(packOf([{ ...invoked, actor: person('ada') }], { documents }))[0]?.line;
    expect(lineOf([documentOf({ second_factor: { method: 'totp' } })])).toMatch(
      /^Ada broke the glass with an authenticator/,
    );
    expect(lineOf([documentOf({ second_factor: null })])).toMatch(/^Ada broke the glass without a second factor/);
    expect(lineOf([])).toMatch(/^Ada broke the glass by means that are not on record/);
  });
});

describe('a signed confirmation', () => {
  const change: PackDocument = { kind: 'change-request', id: CHANGE.id, document: { kind: 'role' } };
  const operation = {
    kind: 'change_confirm',
    change_id: CHANGE.id,
    change_digest: documentDigest('change-request', change.document),
  };
  const confirmed: FakeEvent = {
    action: 'change.confirmed',
    subject: CHANGE,
    fixes: [change],
    payload: { mfa: { method: 'passkey' } },
  };

  it('is shown', () => {
    const pack = packOfAct(confirmed, operation, [], CHANGE);
    expect(shown(pack)).toMatchObject([{ lets: true, shownBy: 'pack_key' }]);
    expect(shown(pack)[0]?.line).toMatch(/^Ada confirmed the change, signed/);
    expect(shown(packOfAct({ ...confirmed, erased: true }, operation, [], CHANGE))).toHaveLength(1);
  });

  it.each<[code: string, what: string, event: FakeEvent, operation: JsonObject]>([
    [
      'approver.contradiction',
      'another change than the entry’s',
      { ...confirmed, subject: { ...CHANGE, id: 'x' } },
      operation,
    ],
    ['approver.contradiction', 'no second factor', { ...confirmed, payload: {} }, operation],
    ['approver.other_operation', 'another change', confirmed, { ...operation, change_id: 'x' }],
    ['approver.other_operation', 'another content', confirmed, { ...operation, change_digest: 'x' }],
    ['approver.other_operation', 'no change', { ...confirmed, fixes: [] }, operation],
  ])('is refused with %s for %s', (code, _what, event, signed) => {
    expect(refusalOf(packOfAct(event, signed, [], CHANGE))?.code).toBe(code);
  });

  it('takes only the change that its entry fixed', () => {
    const others: PackDocument[] = [
      { ...change, document: { kind: 'other' } },
      { ...change, id: 'change-0' },
      { ...change, kind: 'review' },
    ];
    const pack = packOfAct(confirmed, operation, [], CHANGE);
    expect(shown({ ...pack, documents: [...others, ...pack.documents] })).toHaveLength(1);
    const assertion = pack.documents.filter(({ kind }) => kind === 'passkey-assertion');
    expect(refusalOf({ ...pack, documents: [...others, ...assertion] })?.code).toBe('approver.other_operation');
  });

  it('is the word of the server without a signature', () => {
    const lineOf = (event: FakeEvent): string | undefined =>
      shown(packOf([{ ...event, actor: person('ada') }], { subject: CHANGE }))[0]?.line;
    expect(lineOf(confirmed)).toMatch(/^Ada confirmed the change with a passkey whose signature was not kept/);
    expect(lineOf({ ...confirmed, payload: { mfa: null } })).toMatch(/without a second factor/);
    expect(lineOf({ ...confirmed, erased: true })).toMatch(/by means that are not on record/);
  });
});

test.each<[string, Pack]>([
  [
    'nothing',
    packOfAct(
      { action: 'change.confirmed', subject: CHANGE, payload: { mfa: { method: 'passkey' } } },
      null as never, // An operation is an object: only a forger signs none.
      [],
      CHANGE,
    ),
  ],
  [
    'a review without its content',
    packOfAct(
      { action: 'review.submitted', subject: REQUEST, payload: { verdict: 'approve', mfa: { method: 'passkey' } } },
      { kind: 'review', request_id: REQUEST.id, verdict: 'approve', subject_digest: null, comment: null },
      [],
    ),
  ],
  [
    'a break-glass without its reason',
    packOfAct(
      { action: 'break_glass.invoked', within: [PLAN, RUN] },
      { kind: 'break_glass', plan_id: PLAN.id, plan_digest: null, justification: null },
      [],
    ),
  ],
])('a passkey that signed %s signed no act whose document is missing', (_what, pack) => {
  expect(refusalOf(pack)?.code).toBe('approver.other_operation');
});

test('an entry that is no act of a person is not shown', () => {
  expect(shown(packOf([{ action: 'plan.validated' }, { action: 'toString' }]))).toEqual([]);
});
