import { createAudit, createAuditStore, createSigningKeys } from '#lib/audit';
import { createReceiver } from '#lib/connection';
import { createConversations, createConversationStore } from '#lib/conversation';
import type { Database } from '#lib/database';
import {
  channelsOf,
  createContents,
  createDelivery,
  createDeliveryStore,
  createMailer,
  createOnDuty,
  createOutbox,
  createRecipientDirectory,
  type Delivering,
} from '#lib/delivery';
import { createIdempotency } from '#lib/idempotency';
import { createImpact, createImpactStore, type Impact } from '#lib/impact';
import { createIncidents, createIncidentStore, createPager, type Incidents } from '#lib/incident';
import type { SessionId } from '#lib/kernel';
import { createHookRunners, createLifecycleHooks, createLifecycleHookStore } from '#lib/lifecycle-hook';
import { loadPolicyEngine } from '#lib/policy';
import { createPrecedents, createPrecedentStore } from '#lib/precedent';
import { createReports, createReportStore } from '#lib/report';
import { createSlack, createSlackApi, createSlackStore } from '#lib/slack';
import { createKeys, openKeyring } from '#lib/tenancy';
import { createEmbedder, createEmbedderClient, createEmbedderStore } from '#lib/embedder';
import { createCollectorStore, createOcsfFile, createSiem } from '#lib/siem';
import { createWebhooks, createWebhookStore, eventsOf, publicEvents } from '#lib/webhook';
import { afterRestore } from './after-restore.js';
import { createCore } from './create-core.js';
import { createStages, type Stages } from './create-stages.js';
import { pastEventsOf } from './past-events.js';
import type { InstallationConfig } from './installation-config.js';
import { notedEvidence } from './noted-evidence.js';
import { readFromReplica } from './replica-reads.js';

/** Every library of an installation, wired: api, worker and command line are made of these. */
export type Installation = Awaited<ReturnType<typeof compose>>;

/**
 * Calls every library's `create…` in the order in which they may import. If a library offers a port to an earlier one,
 * the earlier is given a function that calls it. All of them are there at the time of that call.
 */
export async function compose(config: InstallationConfig, database: Database) {
  const { uow, systemQuery: system, jobQueue: jobs, enclosingTransactions: transactions } = database;
  const { publicUrl, keyDirectory, allowedPrivateHosts } = config;

  const keyring = await openKeyring({ COUNTERSIGN_KEYRING: config.keyringFile ?? undefined }, keyDirectory);
  const keys = createKeys(keyring);
  const { seals } = keys;
  const { progress, ...logRows } = createAuditStore(system);
  const log = createAudit({
    ...{ uow, jobs, rows: logRows, noted: notedEvidence },
    signingKeys: createSigningKeys(keyDirectory, keys.wrapping),
    reading: (...work) => database.reading(...work),
  });
  const { sink: audit, recordMove } = log;
  const outbox = createOutbox(jobs);
  const webhookRows = createWebhookStore(keys.wrapping);
  const collectors = createCollectorStore(keys.wrapping);
  const embedderRows = createEmbedderStore(keys.wrapping);
  const core = createCore({
    ...{ uow, system, keys, audit, outbox, publicUrl, allowedPrivateHosts },
    notifications: database.notifications,
    engine: loadPolicyEngine(),
    offerMs: config.runnerWait.offerMs,
    changeListener: {
      opened: (...change) => impact.followChanges.opened(...change),
      closed: (...change) => impact.followChanges.closed(...change),
    },
    impact: { lineOf: (...change) => impact.readImpact.lineOf(...change) },
    // Sessions first: their calls are locked after them.
    agentDisabled: [
      { agentDisabled: (...event) => session.endAgentSessions.execute(...event) },
      { agentDisabled: (...event) => toolCall.stopCalls.agentDisabled(...event) },
    ],
    // A runner names sessions by them. Only sessions are found.
    sessions: { open: (tx, ids) => session.sessions.openAmong(tx, ids as readonly SessionId[]) },
    sealedElsewhere: [
      webhookRows.secrets,
      { resealStale: (...stale) => automation.staleSecrets.resealStale(...stale) },
      collectors,
      embedderRows.connections,
    ],
  });
  const { directory, changes, tenancy, mfa, identity, policy, runnerPool, dispatch, signIn, tool, mcpUpstream } = core;
  const { addresses, slugOf, mayConnect } = core;
  const { twoPersonRule } = changes;
  const { environments, vault } = tenancy;
  const { proofs } = mfa;
  const { decisionPoint } = policy;
  const stages: Stages = createStages({
    ...{ core, uow, jobs, keys, audit, outbox, publicEvents },
    deliver: (told) => delivery.deliverOutbox.first(told),
    following: log.following,
    pastEvents: pastEventsOf(log),
    listeners: [{ runMoved: (...event) => incident.followRun.runMoved(...event) }],
    settings: {
      leaseMarginMs: config.leaseMarginMs,
      waitScale: config.demoWaitScale,
      offerPausesMs: config.runnerWait.pausesMs,
    },
  });
  const { automation, autonomy, halt, task, plan, simulation, approval, run, runStore, session, toolCall } = stages;

  const impact: Impact = createImpact({
    ...{ uow, jobs, outbox, policy: decisionPoint },
    rows: createImpactStore({
      ...{ autonomy: autonomy.revisions, environments, tools: tool.tools, safeTools: automation.safeTools },
    }),
    census: autonomy.census,
    changes: {
      waiting: async (tx, id) => {
        const found = await changes.findChange(tx, id);
        return found?.change.state === 'open' ? found.change : null;
      },
    },
  });
  const conversation = createConversations({
    ...{ uow, audit, outbox, publicUrl },
    rows: createConversationStore(),
  });
  const incident: Incidents = createIncidents({
    uow,
    rows: createIncidentStore({ reaching: (...people) => delivery.channels.reaching(...people) }),
    audit,
    outbox,
    twoPersonRule,
    policy: decisionPoint,
    proofs,
    seats: directory.seats,
    vault,
    pager: createPager(dispatch.fetch),
    autonomy: autonomy.revisions,
    plan,
    approval,
    runs: run.create,
    reaches: {
      channelOf: (address) => delivery.channels.naming(address)?.name ?? null,
      addressForms: () => delivery.channels.addressForms,
      test: (...address) => delivery.testAddress.test(...address),
    },
    publicUrl,
    mayConnect,
  });
  const receiver = createReceiver(allowedPrivateHosts, slugOf);
  const webhook = createWebhooks({
    ...{ uow, jobs, audit, outbox, twoPersonRule, receiver, mayConnect, publicUrl },
    rows: webhookRows,
    following: log.following,
  });
  const lifecycleHook = createLifecycleHooks({
    ...{ uow, jobs, audit, twoPersonRule, eventsOf },
    rows: createLifecycleHookStore(seals),
    runners: createHookRunners(dispatch),
    following: log.following,
    calls: webhookRows.reportedCalls,
    isHalted: async (tx, name) => {
      const environment = await environments.byName(tx, name);
      if (environment === null) return false;
      const scope = { environmentId: environment.id, agentIds: [], tools: [] };
      return (await halt.halts.activeNow(tx, scope)).length > 0;
    },
  });
  const siem = createSiem({
    ...{ uow, audit, twoPersonRule, following: log.following, progress },
    ...{ connections: collectors, receiver, fileAt: createOcsfFile, mayConnect, slugOf },
    calls: webhookRows.reportedCalls,
  });
  const embedder = createEmbedder({
    ...{ uow, rows: embedderRows, audit, twoPersonRule, mayConnect },
    client: createEmbedderClient(allowedPrivateHosts, slugOf),
  });
  const precedentRows = createPrecedentStore();
  const precedent = createPrecedents({ uow, rows: precedentRows, meanings: embedder.findVector });
  const reading = createContents({
    directory: createRecipientDirectory(),
    told: approval.readNotifiedRequest,
    requests: approval.readRequests,
    past: precedent.findPrecedents,
    notices: {
      'incident.changed': incident.incidentNotices,
      'incident_destination.failed': incident.destinationNotices,
      'slack.removed': incident.slackNotices,
      'change_request.changed': changes.changeNotices,
      'comment.added': conversation.commentNotices,
      ...automation.notices(publicUrl),
      'webhook.switched_off': webhook.webhookNotices,
    },
    publicUrl,
  });
  const onDuty = createOnDuty();
  const slack = createSlack({
    ...{ uow, digests: keys.digests, audit, twoPersonRule },
    rows: createSlackStore({ system, wrapping: keys.wrapping, onDuty, jobs }),
    api: createSlackApi(config.slackUrl),
    credentials: directory.credentials,
    identity,
    freshSignIn: signIn.requireFreshSignIn,
    reviews: approval.submitReview,
    runs: run.start,
    follower: incident.followSlack,
    replies: conversation.slackReplies,
    contents: reading.contents,
    publicUrl,
    slackUrl: config.slackUrl,
  });
  const mailer = createMailer(config.mail);
  const deliveryRows = createDeliveryStore(keys.wrapping);
  const delivery: Delivering = createDelivery({
    ...{ uow, transactions, rows: deliveryRows, audit, outbox, onDuty, reading, mailer },
    channels: channelsOf({
      ...{ ...reading, mailer, subscriptions: deliveryRows.subscriptions },
      fetch: dispatch.fetch,
      further: [slack.channel],
    }),
    mayConnect: async (tenantId, hostname, port) => (await addresses.rulesOf(tenantId))(hostname, port) !== 'refused',
  });

  const guardedLog = log.guarded(twoPersonRule, [
    afterRestore(
      dispatch.revoker,
      approval.voidRequests,
      run.restore,
      toolCall.restore,
      automation.restore,
      lifecycleHook.restore,
    ),
  ]);
  // A move loses nothing: approvals hold and runs go on. Grants of the other installation are over.
  const moveEpoch = log.guarded(twoPersonRule, [
    async (tx, epoch) => {
      await recordMove.arrived(tx, epoch);
      await dispatch.revoker.revoke(
        tx,
        { kind: 'all' },
        `The tenant moved to this installation; epoch ${String(epoch)} began.`,
      );
    },
  ]).startEpoch;
  const confirmChange = changes.confirming(proofs, {
    autonomy: autonomy.putAutonomy,
    tool_catalog: tool.changeCatalog,
    role_assignment: identity.assignRole,
    executor: tool.putExecutor,
    runner: runnerPool.addRunner,
    environment: tenancy.changeEnvironment,
    factor_reset: mfa.resetFactors,
    sign_in: signIn.putSignInSettings,
    enrolment: identity.issueEnrolment,
    person_enabled: identity.changePerson,
    agent_owner: identity.changeAgent,
    incident_settings: incident.changeIncidentSettings,
    slack_app: slack.putSlackApp,
    slack_workspace: slack.slackSetUp,
    slack_routes: slack.routeSlack,
    audit_retention: guardedLog.retention,
    secret_binding: tenancy.bindSecret,
    audit_epoch: guardedLog.startEpoch,
    audit_key: guardedLog.rotateKey,
    automation_safe_tool: automation.acceptTool,
    webhook: webhook.changeEndpoint,
    lifecycle_hook: lifecycleHook.changeHooks,
    siem_collector: siem.collector.change,
    embedder: embedder.connection.change,
  });
  const evidencePack = log.evidencePacks({
    plan: [
      plan.planEvidence,
      simulation.simulationEvidence,
      approval.approvalEvidence,
      run.evidence,
      incident.incidentEvidence,
      policy.policyEvidence,
      conversation.requestCommentEvidence,
    ],
    session: [
      { section: 'policy', collect: (tx, id) => policy.policyEvidence.within(tx, { type: 'session', id }) },
      toolCall.sessionEvidence,
    ],
    automation_run: [
      {
        section: 'policy',
        collect: (tx, id, around) =>
          policy.policyEvidence.within(tx, ...(around === undefined ? [] : [around]), { type: 'automation_run', id }),
      },
    ],
    change_request: [changes.changeEvidence, conversation.changeCommentEvidence],
    fixed: [mfa.proofEvidence],
  });
  const reads = <T extends object>(name: string, part: T): T =>
    readFromReplica((...work) => database.reading(...work), name, part);
  return {
    database,
    keys,
    directory,
    outbox,
    audit: {
      ...{ log: reads('log', log), evidencePack, ...guardedLog, moveEpoch, recordMove },
      followLog: log.followedBy(outbox, [
        webhook.follower,
        automation.follower,
        lifecycleHook.follower,
        siem.toCollector,
      ]),
    },
    changes: { ...changes, confirmChange },
    tenancy,
    identity: {
      ...identity,
      mailInvitation: identity.mailing(delivery.mailInvitations, (token) => signIn.addresses.invitationUrl(token)),
    },
    mfa,
    signIn,
    idempotency: createIdempotency(),
    policy,
    dispatch,
    runnerPool: {
      ...runnerPool,
      handOverAnswer: runnerPool.handingOver({
        run: run.recordKept,
        tool_call: toolCall.recordKept,
        lifecycle_hook: lifecycleHook.executeHook,
      }),
    },
    tool,
    mcpUpstream,
    automation: reads('automation', automation),
    autonomy,
    toolCall: reads('toolCall', toolCall),
    halt,
    task: reads('task', task),
    plan: reads('plan', plan),
    simulation: reads('simulation', simulation),
    approval: reads('approval', approval),
    run: { ...reads('run', run), traces: runStore.runTrace },
    session: reads('session', session),
    conversation,
    incident,
    delivery,
    slack,
    webhook,
    siem,
    embedder: { ...embedder, ...embedder.worksFor(precedentRows.vectors) },
    lifecycleHook,
    impact,
    report: reads('report', createReports({ uow, rows: createReportStore(directory.seats) })),
    precedent,
  };
}
