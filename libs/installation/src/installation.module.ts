import { Global, Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { ApprovalModule } from '#module/approval';
import { AuditModule } from '#module/audit';
import { AutonomyModule } from '#module/autonomy';
import { ConversationModule } from '#module/conversation';
import { DatabaseModule } from '#module/database';
import { DispatchModule } from '#module/dispatch';
import { GuardrailModule } from '#module/guardrail';
import { HaltModule } from '#module/halt';
import { IncidentModule } from '#module/incident';
import { MfaModule } from '#module/mfa';
import { NotifyModule } from '#module/notify';
import { PlanModule } from '#module/plan';
import { PolicyModule } from '#module/policy';
import { ReportModule } from '#module/report';
import { RunModule } from '#module/run';
import { SessionModule } from '#module/session';
import { SignInModule } from '#module/sign-in';
import { SimulationModule } from '#module/simulation';
import { TaskModule } from '#module/task';
import { TenancyModule } from '#module/tenancy';
import { ToolModule } from '#module/tool';
import { ApprovalEvidence, VoidRequests } from '#lib/approval';
import {
  AUDIT_LOG,
  BuildEvidencePack,
  RotateAuditKey,
  SetPayloadRetention,
  StartEpoch,
  type AuditLog,
  type EvidenceSource,
  type GuardedAudit,
} from '#lib/audit';
import { ChangeCommentEvidence, CommentNotices, RequestCommentEvidence } from '#lib/conversation';
import type { Database } from '#lib/database';
import { ChangeEvidence, ChangeNotices } from '#lib/guardrail';
import { GRANT_REVOKER, type GrantRevoker } from '#lib/dispatch';
import {
  DestinationNotices,
  FollowRun,
  FollowSlack,
  IncidentEvidence,
  IncidentNotices,
  SlackNotices,
} from '#lib/incident';
import { AddressRules, afterRestore, type InstallationConfig } from '#lib/installation';
import { FailureError, GUARDRAIL, type Guardrail, type TenantId } from '#lib/kernel';
import { NOTICE_SOURCES, OperatorNotices, SLACK_FOLLOWER, type NoticeSource } from '#lib/notify';
import { PostgresStaleFactorSecrets, ProofEvidence } from '#lib/mfa';
import { PLAN_SUPERSEDED_LISTENERS, PlanEvidence } from '#lib/plan';
import { PolicyEvidence } from '#lib/policy';
import { PauseForRestore, RUN_MOVED_LISTENERS, RunEvidence, type RunMovedListener } from '#lib/run';
import { SimulationEvidence } from '#lib/simulation';
import {
  DerivedKeys,
  GetTenant,
  KeyringRowSeals,
  KeyringSecretDigests,
  openKeyring,
  SealAlarm,
  TypeormTenantRepository,
} from '#lib/tenancy';

const PLAN_EVIDENCE = [
  PlanEvidence,
  SimulationEvidence,
  ApprovalEvidence,
  RunEvidence,
  IncidentEvidence,
  PolicyEvidence,
  RequestCommentEvidence,
];

const GUARDED_AUDIT = Symbol('guarded audit');

/** What connects a library to one that it does not import. */
const connections: FactoryProvider[] = [
  {
    provide: BuildEvidencePack,
    inject: [AUDIT_LOG, ChangeEvidence, ChangeCommentEvidence, ProofEvidence, ...PLAN_EVIDENCE],
    useFactory: (
      log: AuditLog,
      change: ChangeEvidence,
      said: ChangeCommentEvidence,
      proofs: ProofEvidence,
      ...plan: EvidenceSource[]
    ): BuildEvidencePack => log.evidencePacks({ plan, change_request: [change, said], fixed: [proofs] }),
  },
  {
    provide: GUARDED_AUDIT,
    inject: [AUDIT_LOG, GUARDRAIL, GRANT_REVOKER, VoidRequests, PauseForRestore],
    useFactory: (
      log: AuditLog,
      guardrail: Guardrail,
      grants: GrantRevoker,
      approvals: VoidRequests,
      runs: PauseForRestore,
    ): GuardedAudit => log.guarded(guardrail, [afterRestore(grants, approvals, runs)]),
  },
  {
    provide: SetPayloadRetention,
    inject: [GUARDED_AUDIT],
    useFactory: ({ retention }: GuardedAudit): SetPayloadRetention => retention,
  },
  {
    provide: StartEpoch,
    inject: [GUARDED_AUDIT],
    useFactory: ({ startEpoch }: GuardedAudit): StartEpoch => startEpoch,
  },
  {
    provide: RotateAuditKey,
    inject: [GUARDED_AUDIT],
    useFactory: ({ rotateKey }: GuardedAudit): RotateAuditKey => rotateKey,
  },
  {
    provide: NOTICE_SOURCES,
    inject: [IncidentNotices, DestinationNotices, SlackNotices, ChangeNotices, OperatorNotices, CommentNotices],
    useFactory: (...sources: NoticeSource[]): readonly NoticeSource[] => sources,
  },
  { provide: SLACK_FOLLOWER, inject: [FollowSlack], useFactory: (incidents: FollowSlack) => incidents },
  {
    provide: RUN_MOVED_LISTENERS,
    inject: [FollowRun],
    useFactory: (incidents: FollowRun): readonly RunMovedListener[] => [incidents],
  },
  { provide: PLAN_SUPERSEDED_LISTENERS, inject: [VoidRequests], useFactory: (requests: VoidRequests) => [requests] },
];

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/** Every library, wired. Its providers are global: an app adds what makes it an app. */
@Global()
@Module({})
export class InstallationModule {
  static async of(config: InstallationConfig, database: Database): Promise<DynamicModule> {
    const keyring = await openKeyring({ COUNTERSIGN_KEYRING: config.keyringFile ?? undefined }, config.keyDirectory);
    const keys = new DerivedKeys(keyring);
    const digests = new KeyringSecretDigests(keys);
    const alarm = new SealAlarm();
    const seals = new KeyringRowSeals(keys, alarm.report);
    const tenants = new GetTenant(database.uow, new TypeormTenantRepository());
    const slugOf = async (id: TenantId): Promise<string> => {
      const tenant = await tenants.execute(id);
      if (!tenant.ok) throw new FailureError(tenant.error);
      return tenant.value.slug;
    };
    const addresses = new AddressRules(config.allowedPrivateHosts, slugOf);
    return {
      module: InstallationModule,
      imports: [
        DatabaseModule.of(database),
        AuditModule.of({ keyDirectory: config.keyDirectory, keyring }),
        TenancyModule.of({ keyring, digests, seals, alarm }, [new PostgresStaleFactorSecrets(keyring)]),
        PolicyModule,
        DispatchModule.of({ issuer: config.publicUrl, allowedPrivateHosts: config.allowedPrivateHosts, slugOf }),
        ToolModule.of(addresses),
        AutonomyModule,
        TaskModule,
        PlanModule,
        SimulationModule,
        ApprovalModule.of(seals),
        RunModule.of({ leaseMarginMs: config.leaseMarginMs, waitScale: config.demoWaitScale }),
        HaltModule,
        IncidentModule.of({
          publicUrl: config.publicUrl,
          sendsMail: config.mail !== null,
          seals,
          mayConnect: async (tenantId, url) => (await addresses.rulesOf(tenantId))(url.hostname, portOf(url)),
        }),
        GuardrailModule.of({ publicUrl: config.publicUrl, seals }),
        ConversationModule.of({ publicUrl: config.publicUrl }),
        ReportModule,
        NotifyModule.of({
          publicUrl: config.publicUrl,
          slackUrl: config.slackUrl,
          mail: config.mail,
          seals,
          mayConnect: async (tenantId, hostname, port) =>
            (await addresses.rulesOf(tenantId))(hostname, port) !== 'refused',
        }),
        MfaModule.of({ publicUrl: config.publicUrl, keyring, digests, seals }),
        SessionModule,
        SignInModule.of({
          publicUrl: config.publicUrl,
          allowedPrivateHosts: config.allowedPrivateHosts,
          slugOf,
          seals,
        }),
      ],
      providers: connections,
      exports: connections.map(({ provide }) => provide),
    };
  }
}
