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
interface Told {
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

const confirmed = (): Told => ({
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

function packOf({ document, requested: asked, done, endings }: Told): Pack {
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
      evidence: fixes ? [{ kind: 'change-request', id: CHANGE, digest }] : [],
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
    documents: document === null ? [] : [{ kind: 'change-request', id: CHANGE, document }],
  };
}

type Forgery = (honest: Told) => void;

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

describe('the story of a change', () => {
  it('is told where all is well', () => {
    expect(linesOf(() => undefined)).toEqual([
      'Asked for by ada, confirmed by noor, who is somebody else, and carried out on that word: exactly this change, 2 actions.',
    ]);
  });

  it.each(refused)('is refused where %s', (_what, code, forge) => {
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
