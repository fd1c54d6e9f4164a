import { noDecision } from '#lib/policy';
import { sampleExecutor } from '../../../../libs/registry/tool/src/application/fake-tool.js';
import { fakeGate } from '../../../../libs/stages/tool-call/src/application/fake-gate.js';
import { queuedView, requestDetailView } from './approval-views.js';

it('says first that a call has no way back, if a runner has said so since people were asked', async () => {
  const { ask, request, atHome, stores, subjects, noWayBack, home, uow } = await fakeGate();
  const executor = sampleExecutor(home.staging, { kind: 'runner', url: null, settings: { pool: 'laptops' } });
  await atHome((tx) => stores.executors.save(tx, home.staging.id, executor, home.admin.personId, 1));
  const { id, requestId } = await ask('shell', 'staging', { line: 'rm build/a' });
  noWayBack.set('laptops staging', 'there are more than 7 bytes');
  const about = (await atHome((tx) => subjects.about(tx, [id]))).get(id);
  const subject = await atHome((tx) => subjects.read(tx, id));
  if (about === undefined || subject === null) throw new Error('the call is gone');
  const overview = {
    request: await request(requestId),
    ...{ quorum: { complete: false, filled: [], open: [] }, people: new Map(), claim: null, now: uow.now },
    reviews: [],
  };
  const history = { changesAsked: [], replaces: null, replacedBy: null, changesSinceMyReview: null, escalation: null };
  const reader = { mayReview: noDecision('policy.no_decision'), wayOut: null, sharesVoteWith: [], waysToAVote: null };
  const detail = { ...overview, ...history, ...reader, subject, changedSinceOpened: [] };
  for (const { headline } of [queuedView({ ...overview, about }, null), requestDetailView(detail, null, null)])
    expect(headline).toMatch(/^No way back \(there are more than 7 bytes\)\. shell executes/);
});
