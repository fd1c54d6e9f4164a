import { Module, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import type { DestinationStream } from 'pino';
import { IdentityModule } from '#module/identity';
import { InstallationModule } from '#module/installation';
import type { Database } from '#lib/database';
import { loggerOptions, type Metrics } from '#lib/operation';
import type { ApiConfig } from './api-config.js';
import { ApprovalApiModule } from './approval/approval-api.module.js';
import { AuditApiModule } from './audit/audit-api.module.js';
import { AutonomyApiModule } from './autonomy/autonomy-api.module.js';
import { ConversationApiModule } from './conversation/conversation-api.module.js';
import { ConfigurationApiModule } from './configuration/configuration-api.module.js';
import { GrantApiModule } from './grant/grant-api.module.js';
import { GuardrailApiModule } from './guardrail/guardrail-api.module.js';
import { HaltApiModule } from './halt/halt-api.module.js';
import { HttpModule } from './http/http.module.js';
import { IdentityApiModule } from './identity/identity-api.module.js';
import { MfaApiModule } from './mfa/mfa-api.module.js';
import { IncidentApiModule } from './incident/incident-api.module.js';
import { InboxApiModule } from './inbox/inbox-api.module.js';
import { LiveApiModule } from './live/live-api.module.js';
import { OperationModule } from './operation/operation.module.js';
import { NotifyApiModule } from './notify/notify-api.module.js';
import { PlanApiModule } from './plan/plan-api.module.js';
import { PolicyApiModule } from './policy/policy-api.module.js';
import { ReportApiModule } from './report/report-api.module.js';
import { RunApiModule } from './run/run-api.module.js';
import { SignInApiModule } from './sign-in/sign-in-api.module.js';
import { SimulationApiModule } from './simulation/simulation-api.module.js';
import { SlackApiModule } from './slack/slack-api.module.js';
import { TaskApiModule } from './task/task-api.module.js';
import { TenancyApiModule } from './tenancy/tenancy-api.module.js';
import { ToolApiModule } from './tool/tool-api.module.js';
import { WebApiModule } from './web/web-api.module.js';

/** What each stage adds to the API: its controllers and the use cases behind them, one line each. */
const stages = [
  IdentityApiModule,
  SignInApiModule,
  TenancyApiModule,
  GrantApiModule,
  PolicyApiModule,
  AuditApiModule,
  ToolApiModule,
  AutonomyApiModule,
  ConfigurationApiModule,
  TaskApiModule,
  PlanApiModule,
  SimulationApiModule,
  ApprovalApiModule,
  ConversationApiModule,
  HaltApiModule,
  GuardrailApiModule,
  RunApiModule,
  IncidentApiModule,
  InboxApiModule,
  ReportApiModule,
  NotifyApiModule,
  SlackApiModule,
  MfaApiModule,
];

/** The whole API. */
@Module({})
export class AppModule {
  static of(
    config: ApiConfig,
    parts: { database: Database; metrics: Metrics; logTo?: DestinationStream },
  ): DynamicModule {
    const options = loggerOptions('api', config.logLevel);
    return {
      module: AppModule,
      imports: [
        // Requests are logged by hooks of the server's own: see request-log.ts.
        LoggerModule.forRoot({ pinoHttp: parts.logTo === undefined ? options : [options, parts.logTo], forRoutes: [] }),
        InstallationModule.of(config, parts.database),
        IdentityModule.of({
          requests: {
            holder: { perMinute: config.requestsPerMinute, burst: config.requestBurst },
            tenant: { perMinute: config.tenantRequestsPerMinute, burst: config.tenantRequestBurst },
          },
          tokensPerHolder: config.tokensPerHolder,
        }),
        HttpModule,
        LiveApiModule.of({ perHolder: config.streamsPerHolder, perTenant: config.streamsPerTenant }),
        OperationModule.of(parts.metrics),
        ...stages,
        WebApiModule.of(config.publicUrl),
      ],
    };
  }
}
