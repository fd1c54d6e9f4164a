import type { AutonomyReader } from '#lib/autonomy';
import type { AutomationTrigger } from '#lib/formats';
import type { HaltReader } from '#lib/halt';
import type { AgentRepository, CredentialRepository, MintCredential, PersonRepository } from '#lib/identity';
import type { AuditSink, JobQueue, LogFollowing, Outbox, RowSeals, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { EnvironmentReader } from '#lib/task';
import type { KeyWrapping, SealedElsewhere } from '#lib/tenancy';
import type { ExecutorRepository, ToolRegistry } from '#lib/tool';
import type {
  EnclosingSubjects,
  JudgeAutomationCall,
  MakeAutomationCall,
  TakeBackAutomationCalls,
} from '#lib/tool-call';
import { SqlEnclosingSubjects } from './adapters/sql-enclosing-subjects.js';
import { SqlAutomationRecipients } from './adapters/sql-automation-recipients.js';
import { SqlAutomationRunRepository } from './adapters/sql-automation-run.repository.js';
import { SqlAutomationRepository } from './adapters/sql-automation.repository.js';
import { SqlAutomationSecrets } from './adapters/sql-automation-secrets.js';
import { TypeormSafeToolRepository } from './adapters/typeorm-safe-tool.repository.js';
import { isSigned } from './adapters/standard-webhooks.js';
import { AcceptTool } from './application/accept-tool.js';
import { AdvanceAutomationRun } from './application/advance-automation-run.js';
import { AutomationIdentities } from './application/automation-identities.js';
import { AutomationJournal } from './application/automation-journal.js';
import {
  AutomationChangeNotices,
  AutomationMessages,
  AutomationPausedNotices,
} from './application/automation-notices.js';
import { CarryOutStep } from './application/carry-out-step.js';
import { ChangeAutomation } from './application/change-automation.js';
import { EndAutomationRun } from './application/end-automation-run.js';
import type { AutomationSecrets, VerifyMessage } from './application/automation-webhook.ports.js';
import type {
  AutomationRecipients,
  AutomationRepository,
  AutomationRunRepository,
  CallEnds,
  PastEvents,
  PublicEvents,
} from './application/automation.ports.js';
import type { SafeToolRepository } from './application/safe-tool.ports.js';
import { FollowEvents } from './application/follow-events.js';
import { JudgeSteps } from './application/judge-steps.js';
import { NoteCallEnd } from './application/note-call-end.js';
import { PauseAutomation } from './application/pause-automation.js';
import { PauseAutomationsForRestore } from './application/pause-automations-for-restore.js';
import { PreviewAutomation } from './application/preview-automation.js';
import { ProposeAutomation } from './application/propose-automation.js';
import { ReadAutomations } from './application/read-automations.js';
import { ReadSafeTools } from './application/read-safe-tools.js';
import { RemoveSafeTool } from './application/remove-safe-tool.js';
import { ReceiveAutomationWebhook } from './application/receive-automation-webhook.js';
import { RenewAutomationSecret } from './application/renew-automation-secret.js';
import { RequestAutomationRun } from './application/request-automation-run.js';
import { SettleTimes } from './application/settle-times.js';
import { StartAutomationRun } from './application/start-automation-run.js';
import { TriggerAutomation } from './application/trigger-automation.js';
import { WithdrawAutomation } from './application/withdraw-automation.js';

/** The stored automations with their runs and secrets, and the tools that are safe for them. */
export interface AutomationRows {
  readonly safeTools: SafeToolRepository;
  readonly automations: AutomationRepository;
  readonly runs: AutomationRunRepository;
  readonly secrets: AutomationSecrets & SealedElsewhere;
  readonly recipients: AutomationRecipients;
  readonly enclosing: EnclosingSubjects;
  /** Whether a message is signed with one of the secrets. */
  readonly isSigned: VerifyMessage;
}

/** The ports of this library that keep rows, over PostgreSQL. */
export const createAutomationStore = (seals: RowSeals, wrapping: KeyWrapping): AutomationRows => ({
  safeTools: new TypeormSafeToolRepository(seals),
  automations: new SqlAutomationRepository(seals),
  runs: new SqlAutomationRunRepository(seals),
  secrets: new SqlAutomationSecrets(wrapping),
  recipients: new SqlAutomationRecipients(),
  enclosing: new SqlEnclosingSubjects(),
  isSigned,
});

export interface AutomationDeps {
  readonly uow: UnitOfWork;
  readonly rows: AutomationRows;
  readonly audit: AuditSink;
  readonly jobs: JobQueue;
  readonly outbox: Outbox;
  readonly following: LogFollowing;
  readonly events: PublicEvents;
  readonly past: PastEvents;
  readonly twoPersonRule: TwoPersonRule;
  readonly policy: PolicyDecisionPoint;
  readonly autonomy: AutonomyReader;
  readonly environments: EnvironmentReader;
  readonly halts: HaltReader;
  readonly tools: ToolRegistry;
  readonly executors: ExecutorRepository;
  readonly directory: {
    readonly people: PersonRepository;
    readonly agents: AgentRepository;
    readonly credentials: CredentialRepository;
  };
  readonly mintCredential: Pick<MintCredential, 'execute'>;
  readonly toolCall: {
    readonly judgeAutomationCall: Pick<JudgeAutomationCall, 'preview' | 'executorFault'>;
    readonly makeAutomationCall: Pick<MakeAutomationCall, 'execute'>;
    readonly takeBackAutomationCalls: Pick<TakeBackAutomationCalls, 'execute'>;
    readonly callEnds: CallEnds;
  };
}

/** Automations, and the tools that are safe for them. */
export type Automations = ReturnType<typeof createAutomations>;

/** The use cases of automations, and of the tools that are safe for them. */
export function createAutomations(deps: AutomationDeps) {
  const { uow, audit, jobs, outbox, following, twoPersonRule, policy, autonomy, environments, halts, tools } = deps;
  const { makeAutomationCall: calls, takeBackAutomationCalls: takenBack, callEnds } = deps.toolCall;
  const { people, agents, credentials } = deps.directory;
  const { safeTools: entries, automations, runs, secrets, recipients, enclosing } = deps.rows;
  const journal = new AutomationJournal(audit);
  const judge = new JudgeSteps(entries, deps.toolCall.judgeAutomationCall);
  const identities = new AutomationIdentities(agents, people, credentials, deps.mintCredential, audit);
  const pausing = new PauseAutomation(automations, outbox, journal);
  const starting = new StartAutomationRun(runs, jobs, journal);
  const settling = new SettleTimes(automations, starting, journal);
  const ending = new EndAutomationRun(automations, runs, jobs, outbox, journal, pausing);
  const noting = new NoteCallEnd(runs, callEnds, journal);
  /** The use case that starts the runs of each type of trigger. */
  const starts = {
    cron: new TriggerAutomation(uow, automations, settling, pausing),
    event: new FollowEvents({ automations, runs, following, events: deps.events, starting, pausing, journal }),
    endpoint: new RequestAutomationRun(uow, automations, runs, starting),
    webhook: new ReceiveAutomationWebhook({
      ...{ uow, automations, runs, secrets, identities, starting, isSigned: deps.rows.isSigned },
    }),
  } satisfies Readonly<Record<AutomationTrigger['type'], object>>;
  return {
    enclosing,
    safeTools: entries,
    acceptTool: new AcceptTool(uow, entries, tools, twoPersonRule, audit),
    removeSafeTool: new RemoveSafeTool(uow, entries, audit, takenBack),
    readSafeTools: new ReadSafeTools({
      ...{ uow, entries, tools, environments, autonomy, halts, policy, executors: deps.executors },
      calls: deps.toolCall.judgeAutomationCall,
    }),
    proposeAutomation: new ProposeAutomation(uow, automations, environments, judge, journal),
    withdrawAutomation: new WithdrawAutomation(uow, automations, journal),
    changeAutomation: new ChangeAutomation({
      ...{ uow, automations, environments, judge, identities, journal, following, outbox, settling, calls: takenBack },
    }),
    previewAutomation: new PreviewAutomation({
      ...{ uow, automations, runs, environments, judge, events: deps.events, past: deps.past },
    }),
    readAutomations: new ReadAutomations(uow, automations, runs),
    triggerAutomation: starts.cron,
    requestAutomationRun: starts.endpoint,
    receiveAutomationWebhook: starts.webhook,
    renewAutomationSecret: new RenewAutomationSecret(uow, automations, secrets, journal),
    staleSecrets: secrets,
    follower: starts.event,
    restore: new PauseAutomationsForRestore(automations, pausing),
    advanceAutomationRun: new AdvanceAutomationRun({
      ...{ uow, automations, runs, callEnds, noting, ending, journal },
      steps: new CarryOutStep({ ...{ outbox, runs, entries, identities, calls, callEnds, noting, ending, journal } }),
    }),
    /** @param publicUrl the address of Countersign in a browser. */
    notices: (publicUrl: string) => ({
      'automation.notified': new AutomationMessages(automations, runs, recipients, publicUrl),
      'automation.paused': new AutomationPausedNotices(automations, recipients, publicUrl),
      'automation.changed': new AutomationChangeNotices(automations, recipients, publicUrl),
    }),
  };
}
