import { awaitInSlack } from '../demo-slack.js';
import { GOLDEN_IMAGE, rolloutPlan } from '../rollout-plan.js';
import { approve, OffScriptError, refused, runOf, simulate, submit, tellRefusal, type Stage } from '../stage.js';
import { tellRun } from './tell-run.js';

/** The agent first asks for a wrong image: one argument, swapped in the revision. */
const FIRST_IMAGE = 'web-2026.10';

/** The main job: 47 web servers, three phases, two approvals. Answers the plan that was executed. */
export async function remediateDrift(stage: Stage): Promise<string> {
  const { cast, narrator } = stage;
  const { agent, olga, dev, sam, lea } = cast;

  narrator.scene('An agent wants to remediate drift on 47 production web servers');
  const { taskId, plan } = await submit(
    agent,
    'remediate drift on 47 production web servers',
    rolloutPlan(FIRST_IMAGE),
  );
  narrator.act('drift-bot', 'submits the task and a plan, which is validated and expanded:');
  for (const phase of plan.expanded?.phases ?? []) {
    const sizes = phase.batches.map((batch) => String(batch.targets.length)).join(' + ');
    narrator.say(
      `  ${phase.name.padEnd(7)} ${sizes} servers${phase.canary ? ' (canary)' : ''}, wait ${String(phase.wait_seconds)} s, roll back if ${phase.rollback_if ?? ''}`,
    );
  }
  narrator.act('drift-bot', 'tries to execute it at once');
  tellRefusal(narrator, await refused(agent.client.post('/v1/plans/{id}/runs', { path: { id: plan.id } })));

  narrator.scene('What would happen? The fleet computes a prediction');
  await tellSimulation(stage, plan.id);

  narrator.scene('People decide, on exactly this plan');
  const first = await agent.client.post('/v1/plans/{id}/approval-requests', { path: { id: plan.id }, body: {} });
  const asked = first.decision.obligations.approvals
    .map((slot) => `${String(slot.count)} of ${slot.roles.join(' or ')}`)
    .join(' and ');
  narrator.act(
    'drift-bot',
    `asks for approval; policy asks for ${asked} (${first.decision.effective.source} in autonomy.yaml)`,
  );
  narrator.act('Olga', 'is an SRELead, and accountable for drift-bot; she tries to approve');
  tellRefusal(narrator, await refused(approve(olga, first.id, 'mine')));
  narrator.act('Dev', 'is a DevOpsEngineer; he tries to approve');
  tellRefusal(narrator, await refused(approve(dev, first.id, 'fine with me')));
  await awaitInSlack(stage, first.id);
  narrator.act('Sam', 'is an SRELead; he sees the request in Slack, whose button leads to the page where he signs it');
  const once = await approve(sam, first.id, 'go');
  narrator.aside(
    '  with a passkey over exactly this plan and comment; here a software authenticator stands in for his finger',
  );
  narrator.yes(`${String(once.quorum.filled.length)} of 2 approvals; the request is still ${once.state}`);

  narrator.scene('The agent swaps one argument: the approval is worth nothing any more');
  const revised = await agent.client.post('/v1/tasks/{id}/plans', {
    path: { id: taskId },
    body: rolloutPlan(GOLDEN_IMAGE),
  });
  const voided = await sam.client.get('/v1/approval-requests/{id}', { path: { id: first.id } });
  const former = await agent.client.get('/v1/plans/{id}', { path: { id: plan.id } });
  narrator.act(
    'drift-bot',
    `submits revision ${String(revised.revision)}: image ${FIRST_IMAGE} becomes ${GOLDEN_IMAGE}`,
  );
  narrator.no(`the request is ${voided.state}: ${voided.closed_reason?.message ?? ''}`);
  narrator.no(`revision ${String(former.revision)} is ${former.status}`);
  if (voided.state !== 'voided' || former.status !== 'superseded')
    throw new OffScriptError('the old approval outlived its plan');
  await tellSimulation(stage, revised.id);
  const second = await agent.client.post('/v1/plans/{id}/approval-requests', { path: { id: revised.id }, body: {} });
  await tellDifference(stage, second.id);
  const state = await narrateApprovals(stage, second.id);
  if (state !== 'approved' && state !== 'consumed') throw new OffScriptError(`two approvals left the request ${state}`);

  narrator.scene('Countersign executes exactly what was approved');
  await tellRun(stage, (await runOf(stage, revised.id)).id, 'completed');
  return revised.id;

  async function narrateApprovals({ narrator: tell }: Stage, requestId: string): Promise<string> {
    tell.act('Sam', 'approves again, on the new digest');
    await approve(sam, requestId, 'that is the golden image');
    tell.act('Lea', 'approves');
    const result = await approve(lea, requestId, 'checked the canary');
    tell.yes(`the quorum is complete: ${result.quorum.filled.map((slot) => slot.person.display_name).join(' and ')}`);
    return result.state;
  }
}

async function tellSimulation(stage: Stage, planId: string): Promise<void> {
  const result = await simulate(stage, planId);
  stage.narrator.act('fleet', 'predicts, without changing anything:');
  stage.narrator.say(
    `  ${String(result.affected_assets)} servers affected, about ${String(Math.round(result.estimated_duration_minutes))} minutes, risk ${result.predicted_risk}`,
  );
}

async function tellDifference({ cast: { sam }, narrator }: Stage, requestId: string): Promise<void> {
  const seen = await sam.client.get('/v1/approval-requests/{id}', { path: { id: requestId } });
  const calls = ('call' in seen ? undefined : seen.changes_since_my_review?.calls) ?? [];
  narrator.act(
    'Sam',
    `opens the new request and sees what differs from what he approved: ${String(calls.length)} calls`,
  );
  const [call] = calls;
  for (const change of call?.changes ?? []) {
    narrator.say(
      `  ${call?.step_id ?? ''} ${change.pointer}: ${JSON.stringify(change.before)} → ${JSON.stringify(change.after)}`,
    );
  }
}
