import type { Json, JsonObject } from '#lib/canonical';
import { documentDigest } from './audit-entry.js';
import { ASSEMBLED_ACTION, checkAssembly, checkDocuments } from './check-documents.js';
import { assemblyOf, digestOf, failureOf, packOf, PLAN, type FakeEvent } from './fake-pack.js';
import type { Pack, PackDocument } from './pack-shape.js';

const plan: PackDocument = { kind: 'plan', id: PLAN.id, document: { phases: [] } };
const tool: PackDocument = { kind: 'tool', id: 'patch@1', document: { name: 'patch' } };
const validated: FakeEvent = { action: 'plan.validated', fixes: [plan] };
const noted: FakeEvent = { action: 'plan.noted', subject: { type: 'note', id: 'n' } };
const assembled: FakeEvent = assemblyOf([validated, noted], [tool]);

const assemblyIn = (...events: readonly FakeEvent[]): ReturnType<typeof failureOf> =>
  failureOf(() => checkAssembly(packOf(events)));

describe('the assembly of a pack', () => {
  it('is its last entry', () => {
    expect(checkAssembly(packOf([validated, noted, assembled])).header.id).toBe('entry-2');
    const again = assemblyOf([validated, noted, assembled]);
    expect(checkAssembly(packOf([validated, noted, assembled, again])).header.id).toBe('entry-3');
  });

  it.each<[what: string, events: readonly FakeEvent[]]>([
    ['no assembly', [validated, noted]],
    ['the assembly of another plan', [validated, { ...assembled, subject: { ...PLAN, id: 'plan-2' } }]],
    [
      'the assembly of a change of the same id',
      [validated, { ...assembled, subject: { ...PLAN, type: 'change_request' } }],
    ],
    ['another action about the plan', [validated, { ...assembled, action: 'evidence_pack.read' }]],
  ])('is refused for %s', (_what, events) => {
    expect(assemblyIn(...events)).toMatchObject({
      code: 'pack.not_assembled',
      message: 'No entry says that evidence of the plan plan-1 was assembled.',
      pointer: '/subject',
    });
  });

  it.each<[what: string, payload: Json]>([
    ['names no list', { entries: 'entry-0' }],
    ['names no entry', { entries: [] }],
    ['names something else than entries', { entries: ['entry-0', 1] }],
  ])('is refused if it %s', (_what, payload) => {
    expect(assemblyIn(validated, { ...assembled, payload })).toMatchObject({
      code: 'pack.assembly_erased',
      pointer: '/entries/1/facts',
    });
  });

  it('is refused if its payload is erased', () => {
    expect(assemblyIn(validated, noted, { ...assembled, erased: true })).toMatchObject({
      code: 'pack.assembly_erased',
      message: expect.stringContaining('countersign evidence plan-1 --output FILE') as string,
      pointer: '/entries/2/facts',
    });
  });

  it('is refused if an entry follows it', () => {
    expect(assemblyIn(validated, noted, assembled, noted)).toMatchObject({
      code: 'entry.after_assembly',
      pointer: '/entries/3',
    });
  });

  it('is refused if an entry is missing that it names', () => {
    expect(assemblyIn(validated, { ...assembled, payload: { entries: ['entry-0', 'entry-7'] } })).toMatchObject({
      code: 'entry.missing',
      message: 'The entry entry-7 belonged to the evidence when it was assembled, and was left out.',
      pointer: '/entries',
    });
  });

  it('T41: is refused if an entry is added that it does not name, as a review of another plan', () => {
    const listed = { ...assembled, payload: { entries: ['entry-0'] } };
    expect(assemblyIn(validated, { ...noted, action: 'review.submitted' }, listed)).toMatchObject({
      code: 'entry.not_assembled',
      message:
        'The entry entry-1 (review.submitted) did not belong to the evidence when it was assembled, and was added.',
      pointer: '/entries/1',
    });
  });
});

const DECIDED = { entrypoint: 'plan' };
const INPUT = { plan: 'p' };
const MASKED = { plan: '[masked]' };
const inputDigest = (document: Json): string => documentDigest('policy-input', document);
const decision = (digests: JsonObject, held?: Json, id = 'd-1'): PackDocument[] => [
  { kind: 'decision', id, document: { ...DECIDED, ...digests } },
  ...(held === undefined ? [] : [{ kind: 'policy-input', id, document: held }]),
];

/** A pack of a plan, with these documents under its assembly. */
const packWith = (documents: readonly PackDocument[], events: readonly FakeEvent[] = [validated, noted]): Pack =>
  packOf([...events, assemblyOf(events, documents)], { documents });
const covered = (pack: Pack): ReturnType<typeof checkDocuments> => checkDocuments(pack, checkAssembly(pack).header);
const refusalOf = (pack: Pack): ReturnType<typeof failureOf> => failureOf(() => covered(pack));

describe('the documents of a pack', () => {
  it('are named with the entries that fixed them', () => {
    expect(covered(packWith([tool]))).toEqual([
      {
        ...digestOf(plan),
        entryId: 'entry-0',
        action: 'plan.validated',
        occurredAt: '2026-11-22T00:00:00.000Z',
      },
      { ...digestOf(tool), entryId: 'entry-2', action: ASSEMBLED_ACTION, occurredAt: '2026-11-22T00:00:02.000Z' },
    ]);
  });

  it('are covered by the first action that fixed them, and by an assembly only without one', () => {
    const earlier = assemblyOf([validated], [tool]);
    const pack = packWith([tool], [{ ...earlier, names: [digestOf(plan), digestOf(tool)] }, validated, validated]);
    expect(covered(pack).map(({ kind, entryId }) => [kind, entryId])).toEqual([
      ['plan', 'entry-1'],
      ['tool', 'entry-0'],
    ]);
  });

  it.each<[what: string, change: (documents: PackDocument[]) => PackDocument[]]>([
    ['out of order', (documents) => documents.reverse()],
    ['twice', (documents) => documents.flatMap((one) => [one, one])],
  ])('are refused %s', (_what, change) => {
    const pack = packWith([tool]);
    expect(refusalOf({ ...pack, documents: change([...pack.documents]) })).toMatchObject({
      code: 'document.order',
      pointer: '/documents/1',
    });
  });

  it('are refused if they were changed', () => {
    const pack = packWith([tool]);
    const documents = pack.documents.map((one) => (one.kind === 'tool' ? { ...one, document: {} } : one));
    expect(refusalOf({ ...pack, documents })).toMatchObject({ code: 'document.not_covered', pointer: '/documents/1' });
  });

  it('are refused if one was left out', () => {
    const pack = packWith([tool]);
    expect(refusalOf({ ...pack, documents: pack.documents.slice(1) })).toMatchObject({
      code: 'document.missing',
      message: 'The document plan plan-1 was assembled, and was left out.',
      pointer: '/documents',
    });
  });

  it('are refused if one is added that an action fixed, and the assembly does not name', () => {
    const enrolled = { action: 'factor.enrolled' };
    const passkey = { kind: 'passkey', id: 'p-1', document: {} };
    const pack = packOf([validated, { ...enrolled, fixes: [passkey] }, assemblyOf([validated, enrolled])]);
    expect(refusalOf(pack)).toMatchObject({
      code: 'document.not_assembled',
      message: 'The document passkey p-1 did not belong to the evidence when it was assembled, and was added.',
      pointer: '/documents/0',
    });
  });

  it('are refused if only the assembly fixes a document that an action had to fix', () => {
    const simulation = { kind: 'simulation', id: 's-1', document: {} };
    expect(refusalOf(packWith([simulation]))).toMatchObject({
      code: 'document.not_fixed_by_action',
      pointer: '/documents/1',
    });
  });

  it('are refused if the assembly fixes another version than the action', () => {
    const recorded: FakeEvent = { action: 'tool.registered', fixes: [tool] };
    const changed = { ...tool, document: { name: 'other' } };
    const assembly = assemblyOf([{ action: 'tool.registered' }], [changed]);
    const pack = packOf([recorded, assembly]);
    expect(refusalOf({ ...pack, documents: [changed] })).toMatchObject({ code: 'document.not_fixed_by_action' });
    expect(refusalOf(packWith([], [recorded]))).toBeNull();
    // An earlier assembly is no action: it fixes nothing for good.
    const earlier = [validated, assemblyOf([validated], [tool])];
    const names = [digestOf(plan), digestOf(changed)];
    const later = packOf([...earlier, { ...assemblyOf(earlier), names }]);
    expect(refusalOf({ ...later, documents: [plan, changed] })).toBeNull();
  });

  it('are refused if a policy is not that of its revision', () => {
    const sources = { 'plan.rego': 'package plan' };
    const policy = (id: string): PackDocument => ({ kind: 'policy', id, document: sources });
    expect(refusalOf(packWith([policy(documentDigest('policy', sources))]))).toBeNull();
    expect(refusalOf(packWith([policy(documentDigest('policy', {}))]))).toMatchObject({
      code: 'document.policy_revision',
      pointer: '/documents/1',
    });
  });

  it('hold the input of each decision, masked or not', () => {
    const whole = decision({ input_digest: inputDigest(INPUT) }, INPUT);
    const masked = { input_digest: inputDigest(INPUT), masked_input_digest: inputDigest(MASKED) };
    expect(refusalOf(packWith([...whole, ...decision(masked, MASKED, 'd-2')]))).toBeNull();
  });

  it.each<[what: string, documents: readonly PackDocument[]]>([
    ['there is none', decision({ input_digest: inputDigest(INPUT) })],
    ['it is another', decision({ input_digest: inputDigest(INPUT) }, { plan: 'another' })],
    ['it is masked, and the decision does not say so', decision({ input_digest: inputDigest(INPUT) }, MASKED)],
    [
      'it is not masked, and the decision says so',
      decision({ input_digest: inputDigest(INPUT), masked_input_digest: inputDigest(INPUT) }, INPUT),
    ],
    [
      'it is masked otherwise',
      decision(
        { input_digest: inputDigest(INPUT), masked_input_digest: inputDigest(MASKED) },
        { plan: '[masked]', a: 1 },
      ),
    ],
    [
      'it is that of another decision',
      [...decision({ input_digest: inputDigest(INPUT) }), { kind: 'policy-input', id: 'd-2', document: INPUT }],
    ],
    [
      'another document has its id',
      [...decision({ input_digest: inputDigest(INPUT) }), { kind: 'tool', id: 'd-1', document: INPUT }],
    ],
  ])('are refused without the input of a decision: %s', (_what, documents) => {
    expect(refusalOf(packWith(documents))).toMatchObject({
      code: 'document.decision_input',
      pointer: '/documents/0',
    });
  });
});
