import type { JsonObject } from '#lib/canonical';
import { checkRuns } from './check-runs.js';
import { failureOf, PLAN, packOf, type FakeEvent } from './fake-pack.js';
import type { PackDocument } from './pack-shape.js';

const RUN = { type: 'run', id: 'run-1' };
const REQUEST = { type: 'approval_request', id: 'request-1' };
const named = { approval_request_id: REQUEST.id };

const created = (payload: JsonObject, more: Partial<FakeEvent> = {}): FakeEvent => ({
  ...{ action: 'run.created', subject: RUN, within: [PLAN, RUN], payload },
  ...more,
});
const approved: FakeEvent = { action: 'approval_request.approved', subject: REQUEST, payload: { binding_digest: 'b' } };
const used = (run: string): FakeEvent => ({
  action: 'approval_request.consumed',
  subject: REQUEST,
  payload: { binding_digest: 'b', run_id: run },
});
/** The start of a run, as it was decided with these facts about an approval. */
const decided = (payload: JsonObject, approval: JsonObject | null, entrypoint = 'plan'): FakeEvent =>
  created(payload, {
    decisionId: 'decision-1',
    fixes: [
      { kind: 'decision', id: 'decision-1', document: { entrypoint, result: { outcome: 'allow' } } },
      { kind: 'policy-input', id: 'decision-1', document: { approval } },
    ],
  });
const given = { id: REQUEST.id, state: 'approved', reviewers: [{ person_id: 'ada' }] };
const run = (document: JsonObject): PackDocument => ({ kind: 'run', id: RUN.id, document });

const earlier = { approval_request_id: 'request-0' };
/** The event of the run that was made before, on an approval of its own. */
const ofEarlier = (event: FakeEvent): FakeEvent =>
  event.action === 'run.created'
    ? { ...event, subject: { ...RUN, id: 'run-0' }, within: [PLAN, { ...RUN, id: 'run-0' }] }
    : { ...event, subject: { ...REQUEST, id: 'request-0' } };

const refusalOf = (events: readonly FakeEvent[], documents: readonly PackDocument[] = []) =>
  failureOf((refuse) => {
    checkRuns(packOf(events, { documents }), refuse);
  });

describe('the runs of a plan', () => {
  it.each<[string, readonly FakeEvent[], readonly PackDocument[]]>([
    ['on an approval that each used', [approved, created(named), used(RUN.id)], [run(named)]],
    ['decided with the approval that it used', [approved, decided(named, given), used(RUN.id)], []],
    ['without an approval', [created({ approval_request_id: null })], [run({ approval_request_id: null })]],
    ['that policy let start while a request waited', [decided({}, { ...given, state: 'open', reviewers: [] })], []],
    ['by break-glass', [decided({}, given, 'break_glass')], []],
    ['of another plan', [created(named, { within: [{ type: 'plan', id: 'plan-2' }, RUN] })], []],
    ['of which nothing tells the approval', [created(named, { erased: true })], []],
    ['of which its decision alone tells one', [{ ...decided(named, given), erased: true }], []],
    [
      'on an approval whose use tells no run any more',
      [approved, created(named), { ...used('run-2'), erased: true }],
      [],
    ],
    [
      'beside another run and its own later entries',
      [
        ...[approved, created(named), used(RUN.id)],
        ...[approved, created(earlier), used('run-0')].map((event) => ofEarlier(event)),
        { action: 'run.completed', subject: RUN, within: [PLAN, RUN] },
      ],
      [{ ...run(earlier), id: 'run-0' }, run(named)],
    ],
  ])('pass: a run %s', (_what, events, documents) => {
    expect(refusalOf(events, documents)).toBeNull();
  });

  it.each<[string, readonly FakeEvent[], readonly PackDocument[]]>([
    ['names an approval that nobody gave', [created(named)], []],
    ['names one in its document alone', [created({}, { erased: true })], [run(named)]],
    ['names one that is given, and not used', [approved, created(named)], []],
    ['was decided with an approval without reviewers, and names none', [decided({}, { ...given, reviewers: [] })], []],
    ['names one that another run used', [approved, used('run-2'), created(named)], []],
    ['names two', [approved, created(named), used(RUN.id)], [run({ approval_request_id: 'request-2' })]],
    ['was decided with an approval, and names none', [decided({}, given)], []],
    ['was decided with reviewers, and names none', [decided({}, { ...given, state: 'open' })], []],
    ['was decided with another', [approved, decided(named, { ...given, id: 'request-2' }), used(RUN.id)], []],
  ])('refuse with story.run_without_approval: a run that %s', (_what, events, documents) => {
    expect(refusalOf(events, documents)?.code).toBe('story.run_without_approval');
  });
});
