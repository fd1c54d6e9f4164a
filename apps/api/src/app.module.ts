import { Module, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import type { DestinationStream } from 'pino';
import type { Installation } from '#lib/installation';
import { loggerOptions, type Metrics } from '#lib/operation';
import type { ApiConfig } from './api-config.js';
import { ApprovalModule } from './approval/approval.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AutomationModule } from './automation/automation.module.js';
import { AutonomyModule } from './autonomy/autonomy.module.js';
import { ConversationModule } from './conversation/conversation.module.js';
import { ConfigurationModule } from './configuration/configuration.module.js';
import { GrantModule } from './grant/grant.module.js';
import { ChangeRequestModule } from './change-request/change-request.module.js';
import { HaltModule } from './halt/halt.module.js';
import { HttpModule } from './http/http.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MfaModule } from './mfa/mfa.module.js';
import { IncidentModule } from './incident/incident.module.js';
import { ImpactModule } from './impact/impact.module.js';
import { InboxModule } from './inbox/inbox.module.js';
import { LiveModule } from './live/live.module.js';
import { OperationModule } from './operation/operation.module.js';
import { DeliveryModule } from './delivery/delivery.module.js';
import { PlanModule } from './plan/plan.module.js';
import { PolicyModule } from './policy/policy.module.js';
import { PrecedentModule } from './precedent/precedent.module.js';
import { ReportModule } from './report/report.module.js';
import { RunModule } from './run/run.module.js';
import { RunnerModule } from './runner/runner.module.js';
import { SessionModule } from './session/session.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { SimulationModule } from './simulation/simulation.module.js';
import { SlackModule } from './slack/slack.module.js';
import { TaskModule } from './task/task.module.js';
import { TenancyModule } from './tenancy/tenancy.module.js';
import { McpUpstreamModule } from './mcp-upstream/mcp-upstream.module.js';
import { ToolModule } from './tool/tool.module.js';
import { WebModule } from './web/web.module.js';
import { LifecycleHookModule } from './lifecycle-hook/lifecycle-hook.module.js';
import { EmbedderModule } from './embedder/embedder.module.js';
import { SiemModule } from './siem/siem.module.js';
import { WebhookModule } from './webhook/webhook.module.js';

/** The whole API. */
@Module({})
export class AppModule {
  static of(
    config: ApiConfig,
    installation: Installation,
    parts: { metrics: Metrics; logTo?: DestinationStream },
  ): DynamicModule {
    const options = loggerOptions('api', config.logLevel);
    const limited = installation.identity.limited({
      requests: {
        holder: { perMinute: config.requestsPerMinute, burst: config.requestBurst },
        tenant: { perMinute: config.tenantRequestsPerMinute, burst: config.tenantRequestBurst },
      },
      tokensPerHolder: config.tokensPerHolder,
    });
    return {
      module: AppModule,
      imports: [
        // Requests are logged by hooks of the server's own: see request-log.ts.
        LoggerModule.forRoot({ pinoHttp: parts.logTo === undefined ? options : [options, parts.logTo], forRoutes: [] }),
        HttpModule.of(installation, limited, config.databasePoolSize),
        OperationModule.of(installation, parts.metrics),
        IdentityModule.of(installation, limited),
        SignInModule.of(installation),
        TenancyModule.of(installation),
        GrantModule.of(installation),
        PolicyModule.of(installation),
        AuditModule.of(installation),
        ToolModule.of(installation),
        McpUpstreamModule.of(installation),
        AutonomyModule.of(installation),
        ConfigurationModule.of(installation),
        TaskModule.of(installation),
        PlanModule.of(installation),
        SimulationModule.of(installation),
        ApprovalModule.of(installation),
        ConversationModule.of(installation),
        HaltModule.of(installation),
        ChangeRequestModule.of(installation),
        ImpactModule.of(installation),
        RunModule.of(installation),
        RunnerModule.of(installation),
        SessionModule.of(installation),
        AutomationModule.of(installation),
        SiemModule.of(installation),
        EmbedderModule.of(installation),
        WebhookModule.of(installation),
        LifecycleHookModule.of(installation),
        IncidentModule.of(installation),
        InboxModule.of(installation),
        ReportModule.of(installation),
        PrecedentModule.of(installation),
        DeliveryModule.of(installation),
        SlackModule.of(installation),
        McpModule.of(installation, config.publicUrl),
        MfaModule.of(installation),
        LiveModule.of(installation, { perHolder: config.streamsPerHolder, perTenant: config.streamsPerTenant }),
        WebModule.of(config.publicUrl),
      ],
    };
  }
}
