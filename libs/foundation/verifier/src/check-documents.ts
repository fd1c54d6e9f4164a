import { canonicalJson, isJsonList, type Json } from '#lib/canonical';
import { member } from './json-member.js';
import { documentDigest, type EntryHeader } from './audit-entry.js';
import { makeAnew, subjectText, type Pack, type PackEntry } from './pack-shape.js';
import { refuse } from './verification-failure.js';

/** The entry that assembling a pack leaves: its evidence names every document of the pack. */
export const ASSEMBLED_ACTION = 'evidence_pack.assembled';

/**
 * Documents that must have been fixed by the action itself. Anything else, such as a tool's description, may also be
 * covered by the assembly. The assembly says only that the server held it so when the pack was made.
 */
const FIXED_BY_ACTION = new Set([
  'task',
  'plan',
  'simulation',
  'binding',
  'approval-request',
  'review',
  'run',
  'attempt',
  'incident',
  'incident-event',
  'change-request',
  'comment',
  'passkey',
  'passkey-assertion',
]);

/** A document of the pack, and the entry that fixed it. */
export interface CoveredDocument {
  readonly kind: string;
  readonly id: string;
  readonly digest: string;
  readonly entryId: string;
  readonly action: string;
  readonly occurredAt: string;
}

/**
 * The last assembly of the subject's evidence lists the contents of the pack. Nothing on the list may be missing. Nothing else may
 * be in the pack: a review of another plan would pass for one of this. No entry may follow the assembly. A pack is
 * proven no further than its own assembly. If the facts of the assembly are gone, nothing proves that the pack is
 * whole. Retention never takes them from an honest pack, which keeps them from the day it was handed out. They also
 * name the payloads that were there (check-payloads).
 */
export function checkAssembly(pack: Pack): PackEntry {
  const { type, id } = pack.subject;
  const position = pack.entries.findLastIndex(
    ({ header: { action, subject } }) => action === ASSEMBLED_ACTION && subject.type === type && subject.id === id,
  );
  const assembly = pack.entries[position];
  if (assembly === undefined)
    return refuse(
      'pack.not_assembled',
      `No entry says that evidence of the ${subjectText(pack.subject)} was assembled.`,
      '/subject',
    );
  const belonging = assembledEntries(assembly.facts?.payload ?? null);
  if (belonging === null)
    return refuse(
      'pack.assembly_erased',
      `The entry ${assembly.header.id} (${ASSEMBLED_ACTION}) does not say any more which entries belong to this pack. So nobody can tell whether some were left out. Make the pack anew with \`${makeAnew(pack.subject)}\`: a new pack always has these facts.`,
      `/entries/${String(position)}/facts`,
    );
  const after = pack.entries[position + 1]?.header;
  if (after !== undefined)
    refuse(
      'entry.after_assembly',
      `The entry ${after.id} (${after.action}) came after the last assembly in this pack. An assembly says nothing of later entries, so the pack's own assembly was left out.`,
      `/entries/${String(position + 1)}`,
    );
  const present = new Set(pack.entries.map(({ header }) => header.id));
  const missing = belonging.find((id) => !present.has(id));
  if (missing !== undefined)
    refuse(
      'entry.missing',
      `The entry ${missing} belonged to the evidence when it was assembled, and was left out.`,
      '/entries',
    );
  const listed = new Set(belonging);
  const added = pack.entries.findIndex(({ header }, at) => at !== position && !listed.has(header.id));
  const extra = pack.entries[added]?.header;
  if (extra !== undefined)
    refuse(
      'entry.not_assembled',
      `The entry ${extra.id} (${extra.action}) did not belong to the evidence when it was assembled, and was added.`,
      `/entries/${String(added)}`,
    );
  return assembly;
}

/** The ids in the `entries` member of an assembly's payload; null if it names none. */
function assembledEntries(payload: Json): readonly string[] | null {
  const entries = member(payload, 'entries');
  if (!isJsonList(entries)) return null;
  const ids = entries.filter((id) => typeof id === 'string');
  return ids.length > 0 && ids.length === entries.length ? ids : null;
}

/** Every document was fixed by a proven entry, and the documents are exactly those that were assembled. */
export function checkDocuments(pack: Pack, assembly: EntryHeader): CoveredDocument[] {
  const covering = coveringEntries(pack);
  let before = '';
  const fixed = fixedByActions(pack);
  const left = new Set(assembly.evidence.map(({ kind, id, digest }) => coverKey(kind, id, digest)));
  const covered = pack.documents.map(({ kind, id, document }, index) => {
    const pointer = `/documents/${String(index)}`;
    const digest = documentDigest(kind, document);
    const key = coverKey(kind, id, digest);
    if (key <= before) refuse('document.order', `The document ${kind} ${id} stands out of order, or twice.`, pointer);
    before = key;
    const header = covering.get(key);
    if (header === undefined)
      return refuse(
        'document.not_covered',
        `No proven entry fixed the document ${kind} ${id}: it was changed, or added.`,
        pointer,
      );
    if (header.action === ASSEMBLED_ACTION && (FIXED_BY_ACTION.has(kind) || fixed.has(`${kind}\n${id}`))) {
      return refuse(
        'document.not_fixed_by_action',
        `The document ${kind} ${id} is not what its own action recorded.`,
        pointer,
      );
    }
    // A policy revision is the digest of its sources (libs/rules/policy), and decisions name it so.
    if (kind === 'policy' && digest !== id)
      refuse(
        'document.policy_revision',
        `The sources of the policy revision ${id} are not those of that revision.`,
        pointer,
      );
    if (!left.delete(key))
      refuse(
        'document.not_assembled',
        `The document ${kind} ${id} did not belong to the evidence when it was assembled, and was added.`,
        pointer,
      );
    return { kind, id, digest, entryId: header.id, action: header.action, occurredAt: header.occurred_at };
  });
  checkDecisionInputs(pack);
  const [missing] = left;
  if (missing !== undefined)
    refuse(
      'document.missing',
      `The document ${missing.split('\n').slice(0, 2).join(' ')} was assembled, and was left out.`,
      '/documents',
    );
  return covered;
}

/** The digests that actions fixed, by kind and id: a row that was changed since cannot hide behind the assembly. */
function fixedByActions(pack: Pack): ReadonlySet<string> {
  const actions = pack.entries.filter(({ header }) => header.action !== ASSEMBLED_ACTION);
  return new Set(actions.flatMap(({ header }) => header.evidence.map(({ kind, id }) => `${kind}\n${id}`)));
}

/** The text that replaces a secret. */
const MASK = '[masked]';

/**
 * Every decision has its input in the pack, and names it by digest. If secrets were masked before the input was kept,
 * it names the masked input.
 */
function checkDecisionInputs(pack: Pack): void {
  const inputs = new Map(
    pack.documents
      .filter(({ kind }) => kind === 'policy-input')
      .map(({ kind, id, document }) => [id, { digest: documentDigest(kind, document), document }]),
  );
  pack.documents.forEach(({ kind, id, document }, index) => {
    if (kind !== 'decision') return;
    const pointer = `/documents/${String(index)}`;
    const masked = member(document, 'masked_input_digest');
    const held = inputs.get(id);
    if (held === undefined)
      return refuse('document.decision_input', `The decision ${id} stands without what it was taken from.`, pointer);
    if (masked !== null && !canonicalJson(held.document).includes(MASK))
      refuse('document.decision_input', `The decision ${id} says that its input was masked, and it was not.`, pointer);
    if (held.digest !== (masked ?? member(document, 'input_digest')))
      refuse(
        'document.decision_input',
        `The decision ${id} was taken from another input than the one in the pack.`,
        pointer,
      );
  });
}

const coverKey = (kind: string, id: string, digest: string): string => `${kind}\n${id}\n${digest}`;

/** The entry that fixed each digest: the action's own entry comes before the assembly of a pack. */
function coveringEntries(pack: Pack): ReadonlyMap<string, EntryHeader> {
  const covering = new Map<string, EntryHeader>();
  for (const { header } of pack.entries) {
    for (const { kind, id, digest } of header.evidence) {
      const key = coverKey(kind, id, digest);
      const known = covering.get(key);
      if (known === undefined || (known.action === ASSEMBLED_ACTION && header.action !== ASSEMBLED_ACTION))
        covering.set(key, header);
    }
  }
  return covering;
}
