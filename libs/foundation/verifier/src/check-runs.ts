import type { Json } from '#lib/canonical';
import { idWithin } from './audit-entry.js';
import { member } from './json-member.js';
import type { Pack, PackEntry } from './pack-shape.js';
import type { Refuse } from './verification-failure.js';

/**
 * Checks the runs of a plan. Each was made on the record, and an approval serves one run, after it was given. A run was
 * started on the approval that it names, which is the one that policy was told of.
 */
export function checkRuns(pack: Pack, refuse: Refuse): void {
  checkRunsCreated(pack, refuse);
  checkConsumption(pack, refuse);
  checkNamedApprovals(pack, refuse);
}

/** Every run was made on the record: by the header of the entry, which outlives its facts. */
function checkRunsCreated(pack: Pack, refuse: Refuse): void {
  const created = new Set(
    pack.entries.flatMap(({ header }) => (header.action === 'run.created' ? [header.subject.id] : [])),
  );
  pack.documents.forEach(({ kind, id }, index) => {
    if (kind === 'run' && !created.has(id))
      refuse('story.run_not_created', `No entry says who made the run ${id}.`, `/documents/${String(index)}`);
  });
}

/** An approval serves one run, after it was given. The headers show it, and the facts if both are still there. */
function checkConsumption(pack: Pack, refuse: Refuse): void {
  const approved = new Map<string, PackEntry>();
  const served = new Set<string>();
  pack.entries.forEach((entry, position) => {
    const { action, subject } = entry.header;
    if (idWithin(entry.header, 'plan') !== pack.subject.id) return;
    if (action === 'approval_request.approved') approved.set(subject.id, entry);
    if (action !== 'approval_request.consumed') return;
    const approval = approved.get(subject.id);
    const without = (message: string): never =>
      refuse('story.run_without_approval', message, `/entries/${String(position)}`);
    if (approval === undefined || !sameBinding(approval, entry))
      without(`A run was started on the approval ${subject.id}, which was not given before.`);
    if (served.has(subject.id)) without(`The approval ${subject.id} served more than one run.`);
    served.add(subject.id);
  });
}

/** Whether an approval and its use name the same binding. If a payload is missing, they count as the same. */
const sameBinding = ({ facts: approved }: PackEntry, { facts: used }: PackEntry): boolean =>
  approved === null ||
  used === null ||
  member(approved.payload, 'binding_digest') === member(used.payload, 'binding_digest');

/**
 * Checks the approval that each run names: this run used it, and the decision about its start names it. For a run without an
 * approval, policy asked for none.
 */
function checkNamedApprovals(pack: Pack, refuse: Refuse): void {
  const usedBy = new Map(
    pack.entries
      .filter(({ header }) => header.action === 'approval_request.consumed')
      .map(({ header, facts }) => [header.subject.id, facts === null ? null : member(facts.payload, 'run_id')]),
  );
  const documentOf = (kind: string, id: string | null): Json =>
    pack.documents.find((one) => one.kind === kind && one.id === id)?.document ?? null;
  pack.entries.forEach(({ header, facts }, position) => {
    if (header.action !== 'run.created' || idWithin(header, 'plan') !== pack.subject.id) return;
    const run = header.subject.id;
    const without = (message: string): never =>
      refuse('story.run_without_approval', message, `/entries/${String(position)}`);
    const sources = [facts?.payload ?? null, documentOf('run', run)].filter((source) => source !== null);
    // Both sources are missing: the report lists this check as not made.
    if (sources.length === 0) return;
    const [named = null, ...others] = sources.map((source) => member(source, 'approval_request_id'));
    if (others.some((other) => other !== named)) without(`The run ${run} is said to rest on two approvals.`);
    if (typeof named === 'string') {
      const user = usedBy.get(named);
      if (user === undefined || (user !== null && user !== run))
        without(`The run ${run} was started on the approval ${named}, and no entry says that it used it.`);
    }
    if (member(documentOf('decision', header.decision_id), 'entrypoint') !== 'plan') return;
    const told = member(documentOf('policy-input', header.decision_id), 'approval');
    if (isGiven(told) && member(told, 'id') !== named)
      without(`The start of the run ${run} was decided with an approval that it was not started on.`);
  });
}

/** Whether policy was told of an approval that people gave, rather than of a request that waits. */
function isGiven(told: Json): boolean {
  const reviewers = member(told, 'reviewers');
  return member(told, 'state') === 'approved' || (Array.isArray(reviewers) && reviewers.length > 0);
}
