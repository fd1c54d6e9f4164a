import type { Json, JsonObject } from '#lib/canonical';
import { documentDigest, ENTRY_FORMAT } from './audit-entry.js';
import { checkChange } from './check-change.js';
import type { Pack, PackEntry } from './pack-shape.js';
import { Failed, refuse, type VerificationCode } from './verification-failure.js';

const CHANGE = 'change-1';

interface Entry {
  action: string;
  actor: { kind: string; id: string };
  subject: { type: string; id: string };
  /** Whether its header fixes the change. */
  fixes: boolean;
  payload: JsonObject | null;
}

/** The story in the pack of a change; a forgery changes a part of it. */
interface Story {
  document: JsonObject | null;
  requested: Entry;
  /** The actions that the change carried out. */
  done: Entry[];
  endings: Entry[];
}

const own = { type: 'change_request', id: CHANGE };
const person = (id: string) => ({ kind: 'person', id });

const requested = (): Entry => ({
  action: 'change.requested',
  actor: person('ada'),
  subject: own,
  fixes: true,
  payload: { required_role: 'PlatformAdmin', beneficiary_id: 'sam' },
});

const ending = (action: string, by: string): Entry => ({
  action,
  actor: person(by),
  subject: own,
  fixes: true,
  payload: { roles: ['SRELead', 'PlatformAdmin'], mfa: { method: 'totp', proved_at: 1 } },
});

const confirmed = (): Story => ({
  document: { id: CHANGE, requested_by: 'ada', kind: 'role_assignment' },
  requested: requested(),
  done: [
    {
      action: 'role.assigned',
      actor: person('noor'),
      subject: { type: 'person', id: 'sam' },
      fixes: true,
      payload: {},
    },
    {
      action: 'enrolment.voided',
      actor: { kind: 'system', id: 'enrolment' },
      subject: { type: 'person', id: 'sam' },
      fixes: true,
      payload: {},
    },
  ],
  endings: [ending('change.confirmed', 'noor')],
});

/** Evidence of every entry: of another document, another change, and this change with other content. */
const othersOf = (digest: string) => [
  { kind: 'tool', id: CHANGE, digest },
  { kind: 'change-request', id: 'change-0', digest },
  { kind: 'change-request', id: CHANGE, digest: `sha256:${'0'.repeat(64)}` },
];

function packOf({ document, requested: asked, done, endings }: Story): Pack {
  const digest = documentDigest('change-request', document);
  const entries = [asked, ...done, ...endings].map(({ action, actor, subject, fixes, payload }): PackEntry => ({
    epoch: 1,
    leafIndex: 0,
    header: {
      format: ENTRY_FORMAT,
      tenant_id: 'tenant-1',
      id: action,
      occurred_at: '2026-11-22T00:00:00.000Z',
      level: 'full',
      action,
      actor: { ...actor, display_name: actor.id, credential_id: null, on_behalf_of: null },
      subject,
      within: [],
      decision_id: null,
      evidence: [...othersOf(digest), ...(fixes ? [{ kind: 'change-request', id: CHANGE, digest }] : [])],
      payload_digest: digest,
    },
    facts: payload === null ? null : { salt: new Uint8Array(32), payload: payload as Json },
    inclusion: [],
  }));
  return {
    tenantId: 'tenant-1',
    subject: { type: 'change_request', id: CHANGE },
    checkpoints: [],
    consistency: [],
    entries,
    documents: [
      // Documents of another kind or change, which the checks pass over.
      { kind: 'tool', id: CHANGE, document },
      { kind: 'change-request', id: 'change-0', document },
      ...(document === null ? [] : [{ kind: 'change-request', id: CHANGE, document }]),
    ],
  };
}

type Forgery = (honest: Story) => void;

const linesOf = (forge: Forgery): string[] => {
  const story = confirmed();
  forge(story);
  return checkChange(packOf(story), refuse);
};

function codeOf(forge: Forgery): string {
  try {
    return linesOf(forge).join(' ');
  } catch (error) {
    if (error instanceof Failed) return error.failure.code;
    throw error;
  }
}

const first = (entries: readonly Entry[]): Entry => {
  const [entry] = entries;
  if (entry === undefined) throw new Error('there is none');
  return entry;
};

const refused: readonly (readonly [what: string, code: VerificationCode, forge: Forgery])[] = [
  ['the change is not there', 'story.change_missing', (told) => (told.document = null)],
  ['nobody asked', 'story.change_requested', ({ requested: asked }) => (asked.action = 'change.other')],
  ['somebody else asked', 'story.change_requested', ({ requested: asked }) => (asked.actor = person('eve'))],
  ['something else was asked for', 'story.change_requested', ({ requested: asked }) => (asked.fixes = false)],
  ['it ended twice', 'story.change_ended_twice', ({ endings }) => endings.push(ending('change.rejected', 'noor'))],
  ['its author confirmed', 'story.change_confirmed', ({ endings }) => (first(endings).actor = person('ada'))],
  ['whoever gains confirmed', 'story.change_confirmed', ({ endings }) => (first(endings).actor = person('sam'))],
  [
    'an agent confirmed',
    'story.change_confirmed',
    ({ endings }) => (first(endings).actor = { kind: 'agent', id: 'bot' }),
  ],
  ['something else was confirmed', 'story.change_confirmed', ({ endings }) => (first(endings).fixes = false)],
  [
    'the confirmation is of another kind of subject',
    'story.change_confirmed',
    ({ endings }) => (first(endings).subject = { ...own, type: 'tool' }),
  ],
  [
    'without the role',
    'story.change_confirmed',
    ({ endings }) => (first(endings).payload = { roles: ['SRELead'], mfa: { method: 'totp' } }),
  ],
  [
    'without a second factor',
    'story.change_confirmed',
    ({ endings }) => (first(endings).payload = { roles: ['PlatformAdmin'], mfa: null }),
  ],
  ['nothing was carried out', 'story.change_carried_out', (told) => (told.done = [])],
  ['somebody else carried it out', 'story.change_carried_out', ({ done }) => (first(done).actor = person('eve'))],
  [
    'it was carried out though rejected',
    'story.change_carried_out',
    (told) => (told.endings = [ending('change.rejected', 'noor')]),
  ],
  ['it was carried out while open', 'story.change_carried_out', (told) => (told.endings = [])],
];

const messageOf = (forge: Forgery): string => {
  try {
    return linesOf(forge).join(' ');
  } catch (error) {
    if (error instanceof Failed) return error.message;
    throw error;
  }
};
/** A confirmation with more facts. */
const confirmedWith =
  (facts: JsonObject): Forgery =>
  ({ endings }) => {
    const one = first(endings);
    one.payload = { ...one.payload, ...facts };
  };
const sharing = (...people: Json[]): JsonObject => ({ shared_with: people });

describe('the story of a change', () => {
  it('tells the reason, and how author and confirmer are known', () => {
    const known = (basis: string): JsonObject => ({ shared_with: [], known_by: [{ basis, by: null, hand: null }] });
    expect(
      linesOf((told) => {
        told.document = { ...told.document, reason: 'A "new" lead.' };
        confirmedWith({ seats: { ada: known('founder'), noor: known('operator') } })(told);
      }),
    ).toEqual([
      'ada gave as the reason: "A \\"new\\" lead."',
      expect.stringContaining('confirmed by noor'),
      'Known as it was confirmed: ada (founded this tenant), noor (let in by the operator).',
    ]);
  });

  it('counts one action as one', () => {
    expect(linesOf(({ done }) => done.pop())[0]).toMatch(/exactly this change, 1 action\.$/);
  });

  it('reads entries of other changes and of the assembly as no part of it', () => {
    const other = ending('change.confirmed', 'noor');
    other.subject = { ...own, id: 'change-2' };
    other.fixes = false;
    const assembled = ending('evidence_pack.assembled', 'auditor');
    assembled.subject = { type: 'person', id: 'auditor' };
    expect(linesOf(({ endings }) => endings.push(other, assembled))).toHaveLength(1);
  });

  it.each<[what: string, forge: Forgery, message: string]>([
    ['its author confirms', ({ endings }) => (first(endings).actor = person('ada')), 'ada confirmed their own change.'],
    [
      'the person who gains confirms',
      ({ endings }) => (first(endings).actor = person('sam')),
      'sam confirmed a change that they gain by.',
    ],
    [
      'its author shares a vote with the confirmer',
      confirmedWith({ seats: { ada: sharing('bob', 'noor') } }),
      'noor confirmed the change, and shares one vote with the person who asked for it or gains by it.',
    ],
    [
      'its author and the confirmer share a vote with a third person',
      confirmedWith({ seats: { ada: sharing('bob'), noor: sharing('bob') } }),
      'noor confirmed the change, and shares one vote with the person who asked for it or gains by it.',
    ],
    [
      'the person who gains shares a vote with the confirmer',
      confirmedWith({ seats: { noor: sharing('sam') } }),
      'noor confirmed the change, and shares one vote with the person who asked for it or gains by it.',
    ],
    [
      'the roles of the confirmer are no list',
      confirmedWith({ roles: 'PlatformAdmin' }),
      'noor confirmed the change without the role PlatformAdmin.',
    ],
  ])('is refused if %s', (_what, forge, message) => {
    expect(messageOf(forge)).toBe(message);
  });

  it('takes people who share a vote with others than these', () => {
    expect(linesOf(confirmedWith({ seats: { ada: sharing('bob', null), noor: sharing(null, 'eve') } }))).toHaveLength(
      1,
    );
  });

  it('asks for no role and no beneficiary that the request does not name', () => {
    expect(
      linesOf((told) => {
        told.requested.payload = {};
        confirmedWith({ roles: null, seats: { null: sharing('noor') } })(told);
      }),
    ).toHaveLength(1);
  });

  it('is refused at the entry that is wrong', () => {
    const pointerOf = (forge: Forgery): string => {
      const story = confirmed();
      forge(story);
      try {
        checkChange(packOf(story), refuse);
        return 'nothing is wrong';
      } catch (error) {
        if (error instanceof Failed) return error.failure.pointer;
        throw error;
      }
    };
    expect(pointerOf(({ requested: asked }) => (asked.actor = person('eve')))).toBe('/entries/0');
    expect(pointerOf(({ requested: asked }) => (asked.action = 'change.other'))).toBe('/entries');
    expect(pointerOf(({ endings }) => endings.push(ending('change.rejected', 'noor')))).toBe('/entries/4');
    expect(pointerOf(({ done }) => (first(done).actor = person('eve')))).toBe('/entries/1');
  });

  it('is refused if it was asked for twice', () => {
    expect(codeOf(({ done }) => done.push({ ...requested() }))).toBe('story.change_requested');
  });

  it('is told if all is well', () => {
    expect(linesOf(() => undefined)).toEqual([
      'Asked for by ada, confirmed by noor, who is somebody else, and carried out on that word: exactly this change, 2 actions.',
    ]);
  });

  it.each(refused)('is refused if %s', (_what, code, forge) => {
    expect(codeOf(forge)).toBe(code);
  });

  it.each(['rejected', 'withdrawn', 'expired', 'voided'])('says that a change was %s', (end) => {
    expect(
      linesOf((told) => {
        told.done = [];
        told.endings = [ending(`change.${end}`, end === 'withdrawn' ? 'ada' : 'noor')];
      }),
    ).toEqual([`Asked for by ada; ${end}, and nothing of it was carried out.`]);
  });

  it('says that a change is open', () => {
    expect(
      linesOf((told) => {
        told.done = [];
        told.endings = [];
      }),
    ).toEqual(['Asked for by ada; open, and nothing of it was carried out.']);
  });

  it('holds by the headers alone if facts are not there', () => {
    const erase: Forgery = (told) => {
      for (const entry of [told.requested, ...told.endings]) entry.payload = null;
    };
    expect(linesOf(erase)).toHaveLength(1);
    const byItsAuthor: Forgery = (told) => {
      erase(told);
      first(told.endings).actor = person('ada');
    };
    expect(codeOf(byItsAuthor)).toBe('story.change_confirmed');
  });
});
