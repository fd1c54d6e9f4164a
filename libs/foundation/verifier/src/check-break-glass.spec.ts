import type { Json, JsonObject } from '#lib/canonical';
import { ENTRY_FORMAT } from './audit-entry.js';
import { checkBreakGlass } from './check-break-glass.js';
import type { Pack, PackEntry } from './pack-shape.js';
import { Failed, refuse, type Refuse, type VerificationCode } from './verification-failure.js';

const PLAN_DIGEST = `sha256:${'1'.repeat(64)}`;

/** The story in the pack of a run under break-glass; a forgery changes a part of it. */
interface Story {
  invoked: { action: string; level: string; kind: string; id: string; runId: string } | null;
  incident: JsonObject | null;
  decision: JsonObject | null;
  events: JsonObject[];
}

const told = (): Story => ({
  invoked: { action: 'break_glass.invoked', level: 'critical', kind: 'person', id: 'ada', runId: 'run-1' },
  incident: { run_id: 'run-1', plan_digest: PLAN_DIGEST, invoked_by: 'ada', decision_id: 'decision-1' },
  decision: { entrypoint: 'break_glass', result: { outcome: 'allow' } },
  events: ['opened', 'run_ended', 'reviewed'].map((kind, index) => ({
    incident_id: 'incident-1',
    seq: index + 1,
    kind,
    actor: { kind: 'person', id: kind === 'reviewed' ? 'noor' : 'ada' },
  })),
});

function entry(
  action: string,
  level: string,
  actor: { kind: string; id: string },
  runId: string,
  payload: Json,
): PackEntry {
  return {
    epoch: 1,
    leafIndex: 0,
    header: {
      format: ENTRY_FORMAT,
      tenant_id: 'tenant-1',
      id: action,
      occurred_at: '2026-11-22T00:00:00.000Z',
      level,
      action,
      actor: { ...actor, display_name: actor.id, credential_id: null, on_behalf_of: null },
      subject: { type: 'run', id: runId },
      within: [
        { type: 'plan', id: 'plan-1' },
        { type: 'run', id: runId },
      ],
      decision_id: null,
      evidence: [],
      payload_digest: PLAN_DIGEST,
    },
    facts: { salt: new Uint8Array(32), payload },
    inclusion: [],
  };
}

/** Documents of another kind or incident, which the checks pass over. */
const others: readonly (readonly [kind: string, id: string, document: JsonObject])[] = [
  ['tool', 'incident-1', { run_id: 'run-1', plan_digest: PLAN_DIGEST }],
  ['incident', 'incident-0', { run_id: 'run-0' }],
  ['tool', 'decision-1', { entrypoint: 'break_glass', result: { outcome: 'allow' } }],
  ['decision', 'decision-0', { entrypoint: 'break_glass', result: { outcome: 'allow' } }],
  ['tool', 'event-9', { incident_id: 'incident-1', seq: 9, kind: 'opened' }],
  ['incident-event', 'event-8', { incident_id: 'incident-0', seq: 1, kind: 'opened' }],
  ['tool', 'run-1', { incident_id: 'incident-9' }],
];

function packOf({ invoked, incident, decision, events }: Story): Pack {
  const created = entry('run.created', 'full', { kind: 'person', id: 'ada' }, 'run-1', { incident_id: 'incident-1' });
  const documents: readonly (readonly [kind: string, id: string, document: JsonObject | null])[] = [
    ...others,
    ['incident', 'incident-1', incident],
    ['decision', 'decision-1', decision],
    ...events.map((event, index): [string, string, JsonObject] => ['incident-event', `event-${String(index)}`, event]),
  ];
  return {
    tenantId: 'tenant-1',
    subject: { type: 'plan', id: 'plan-1' },
    checkpoints: [],
    consistency: [],
    entries: [...(invoked === null ? [] : [entry(invoked.action, invoked.level, invoked, invoked.runId, {})]), created],
    documents: documents.flatMap(([kind, id, document]) => (document === null ? [] : [{ kind, id, document }])),
  };
}

function codeOf(forge: (honest: Story) => void): string {
  const story = told();
  forge(story);
  try {
    linesOf(packOf(story), PLAN_DIGEST, refuse);
    return 'nothing is wrong';
  } catch (error) {
    if (error instanceof Failed) return error.failure.code;
    throw error;
  }
}

/** The people with whom each shares one vote, as the review keeps them. */
const reviewedWithSeats =
  (shared: Readonly<Record<string, readonly string[]>>) =>
  (pack: Story): void => {
    const seats = Object.fromEntries(
      ['ada', 'noor'].map((id) => [id, { shared_with: [...(shared[id] ?? [])], known_by: [] }]),
    );
    pack.events[2] = { ...pack.events[2], data: { seats } };
  };

/** The warnings and the passed lines, apart. */
function linesOf(pack: Pack, planDigest: string, say: Refuse): { warnings: string[]; lines: readonly string[] } {
  const warnings: string[] = [];
  const lines = checkBreakGlass(pack, planDigest, say, (line) => warnings.push(line));
  return { warnings, lines };
}

describe('a pack of a run under break-glass', () => {
  it('is loud about it if nothing is forged', () => {
    expect(linesOf(packOf(told()), PLAN_DIGEST, refuse)).toEqual({
      warnings: [
        'BREAK-GLASS: ada executed this plan without an approval; its incident has 3 entries and was reviewed by somebody else.',
      ],
      lines: [],
    });
    const ofTheirOwn = told();
    reviewedWithSeats({ ada: ['bob'] })(ofTheirOwn);
    expect(linesOf(packOf(ofTheirOwn), PLAN_DIGEST, refuse)).toEqual({
      warnings: [expect.stringContaining('was reviewed by somebody else')],
      lines: [],
    });
    const knownStory = told();
    const seat = {
      shared_with: [],
      known_by: [{ basis: 'operator', by: null, hand: null, issuer: null, counts: true }],
    };
    knownStory.events[2] = { ...knownStory.events[2], data: { seats: { ada: seat, noor: seat } } };
    expect(linesOf(packOf(knownStory), PLAN_DIGEST, refuse).lines).toEqual([
      expect.stringMatching(/^Known as it was reviewed: ada \(let in by the operator\)/),
    ]);
    const open = told();
    open.events.pop();
    expect(linesOf(packOf(open), PLAN_DIGEST, refuse)).toEqual({
      warnings: [expect.stringContaining('2 entries and was NOT REVIEWED')],
      lines: [],
    });
  });

  it('names both people with the record of how they are known', () => {
    const known = told();
    const seat = (basis: string): JsonObject => ({ shared_with: [], known_by: [{ basis, by: null, hand: null }] });
    known.events[2] = {
      ...known.events[2],
      actor: { kind: 'person', id: 'noor', display_name: 'Noor' },
      data: { seats: { ada: seat('operator'), noor: seat('founder') } },
    };
    expect(linesOf(packOf(known), PLAN_DIGEST, refuse)).toEqual({
      warnings: [expect.stringMatching(/^BREAK-GLASS: /)],
      lines: ['Known as it was reviewed: ada (let in by the operator), Noor (founded this tenant).'],
    });
  });

  it('is found by the document of the run if the payload of its creation is erased', () => {
    const pack = packOf(told());
    const erased = {
      ...pack,
      entries: pack.entries.map((one) => (one.header.action === 'run.created' ? { ...one, facts: null } : one)),
    };
    expect(linesOf(erased, PLAN_DIGEST, refuse)).toEqual({ warnings: [], lines: [] });
    const run = { kind: 'run', id: 'run-1', document: { incident_id: 'incident-1' } };
    expect(linesOf({ ...erased, documents: [...pack.documents, run] }, PLAN_DIGEST, refuse).warnings).toHaveLength(1);
    const approved = { ...run, id: 'run-2', document: { incident_id: null } };
    expect(linesOf({ ...erased, documents: [...pack.documents, approved] }, PLAN_DIGEST, refuse)).toEqual({
      warnings: [],
      lines: [],
    });
  });

  it('is read from the creation of a run alone', () => {
    const pack = packOf(told());
    const created = pack.entries.filter(({ header }) => header.action === 'run.created');
    const started = created.map((one) => ({ ...one, header: { ...one.header, action: 'run.started' } }));
    expect(linesOf({ ...pack, entries: started }, PLAN_DIGEST, refuse)).toEqual({ warnings: [], lines: [] });
    const outside = created.map((one) => ({ ...one, header: { ...one.header, within: [] } }));
    expect(linesOf({ ...pack, entries: outside }, PLAN_DIGEST, refuse)).toEqual({ warnings: [], lines: [] });
    const regular = created.map((one) => ({ ...one, facts: { salt: new Uint8Array(32), payload: {} } }));
    expect(linesOf({ ...pack, entries: regular }, PLAN_DIGEST, refuse)).toEqual({ warnings: [], lines: [] });
  });

  it('says if the invoker reviewed it, and if a person with the same vote did', () => {
    const messageOf = (forge: (honest: Story) => void): string => {
      const story = told();
      forge(story);
      try {
        return linesOf(packOf(story), PLAN_DIGEST, refuse).warnings.join();
      } catch (error) {
        if (error instanceof Failed) return error.message;
        throw error;
      }
    };
    expect(messageOf((pack) => (pack.events[2] = { ...pack.events[2], actor: { kind: 'person', id: 'ada' } }))).toBe(
      'The person who broke the glass reviewed the incident incident-1 themselves.',
    );
    expect(messageOf(reviewedWithSeats({ ada: ['noor'] }))).toBe(
      'The reviewer of the incident incident-1 shares one vote with the person who broke the glass.',
    );
  });

  it('refuses a review by somebody who shares a vote with the invoker (T39)', () => {
    expect(codeOf(reviewedWithSeats({ ada: ['noor'] }))).toBe('story.break_glass_review');
    expect(codeOf(reviewedWithSeats({ ada: ['bob'], noor: ['bob'] }))).toBe('story.break_glass_review');
  });

  it.each<[VerificationCode, string, (honest: Story) => void]>([
    ['story.break_glass_incident', 'the incident left out', (pack) => (pack.incident = null)],
    [
      'story.break_glass_incident',
      'the incident of another run',
      (pack) => (pack.incident = { ...pack.incident, run_id: 'run-2' }),
    ],
    [
      'story.break_glass_incident',
      'the incident of another plan',
      (pack) => (pack.incident = { ...pack.incident, plan_digest: `sha256:${'2'.repeat(64)}` }),
    ],
    ['story.break_glass_person', 'the invocation left out', (pack) => (pack.invoked = null)],
    [
      'story.break_glass_person',
      'another action of that person',
      (pack) => Object.assign(pack.invoked ?? {}, { action: 'break_glass.asked' }),
    ],
    [
      'story.break_glass_decision',
      'a decision of another id',
      (pack) => (pack.incident = { ...pack.incident, decision_id: 'decision-9' }),
    ],
    [
      'story.break_glass_timeline',
      'a first event out of sequence',
      (pack) => (pack.events = [{ ...pack.events[0], seq: 2 }]),
    ],
    [
      'story.break_glass_person',
      'an agent that invoked',
      (pack) => Object.assign(pack.invoked ?? {}, { kind: 'agent' }),
    ],
    [
      'story.break_glass_person',
      'an invocation for another run',
      (pack) => Object.assign(pack.invoked ?? {}, { runId: 'run-2' }),
    ],
    [
      'story.break_glass_person',
      'an invocation that is not critical',
      (pack) => Object.assign(pack.invoked ?? {}, { level: 'full' }),
    ],
    [
      'story.break_glass_person',
      'somebody else blamed',
      (pack) => (pack.incident = { ...pack.incident, invoked_by: 'bob' }),
    ],
    ['story.break_glass_decision', 'the decision left out', (pack) => (pack.decision = null)],
    [
      'story.break_glass_decision',
      'a decision that denied',
      (pack) => (pack.decision = { ...pack.decision, result: { outcome: 'deny' } }),
    ],
    [
      'story.break_glass_decision',
      'a decision about something else',
      (pack) => (pack.decision = { ...pack.decision, entrypoint: 'plan' }),
    ],
    ['story.break_glass_timeline', 'an event left out', (pack) => pack.events.splice(1, 1)],
    ['story.break_glass_timeline', 'its opening left out', (pack) => pack.events.splice(0, 1)],
    ['story.break_glass_timeline', 'no timeline at all', (pack) => pack.events.splice(0)],
    [
      'story.break_glass_timeline',
      'another beginning',
      (pack) => (pack.events[0] = { ...pack.events[0], kind: 'acknowledged' }),
    ],
    [
      'story.break_glass_review',
      'a review by who invoked it',
      (pack) => (pack.events[2] = { ...pack.events[2], actor: { kind: 'person', id: 'ada' } }),
    ],
  ])('%s: %s', (code, _why, forge) => {
    expect(codeOf(forge)).toBe(code);
  });
});
