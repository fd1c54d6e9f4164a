import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import type { Limited } from '#lib/identity';
import type { Installation } from '#lib/installation';
import { useCases } from '../stage-module.js';
import { AccessGuard } from './access.guard.js';
import { BrowserSessions } from './browser-sessions.js';
import { Callers } from './callers.js';
import { EmergencyAllowance } from './emergency-allowance.js';
import { FailedAttempts } from './failed-attempts.js';
import { FailedAttemptsInterceptor } from './failed-attempts.interceptor.js';
import { AUTHENTICATOR, DATABASE, KEPT_ANSWERS, REQUEST_BUDGET, REQUEST_TURNS, STRANGER_TURNS } from './http.tokens.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { JsonBodyInterceptor } from './json-body.interceptor.js';
import { MessageAccess } from './message-access.js';
import { ProblemFilter } from './problem.filter.js';
import { RequestTurns, requestTurns, strangerTurns } from './request-turns.js';
import { RouteDeclarations } from './route-declarations.js';
import { SchemaValidationPipe } from './schema-validation.pipe.js';
import { SpentCredentials } from './spent-credentials.js';

/** The parts that every request passes: access, idempotency, validation, and the shape of refusals. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    BrowserSessions,
    Callers,
    EmergencyAllowance,
    FailedAttempts,
    MessageAccess,
    RequestTurns,
    RouteDeclarations,
    SpentCredentials,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_INTERCEPTOR, useClass: FailedAttemptsInterceptor },
    { provide: APP_INTERCEPTOR, useClass: JsonBodyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_PIPE, useClass: SchemaValidationPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
  exports: [BrowserSessions, Callers, FailedAttempts, MessageAccess, RouteDeclarations],
})
export class HttpModule {
  /** @param atOnce requests that a process works on at the same time. */
  static of(
    { database, idempotency, identity, signIn }: Installation,
    { requestBudget }: Limited,
    atOnce: number,
  ): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      providers: [
        { provide: DATABASE, useValue: database },
        { provide: AUTHENTICATOR, useValue: identity.authenticator },
        { provide: KEPT_ANSWERS, useValue: idempotency.records },
        { provide: REQUEST_BUDGET, useValue: requestBudget },
        { provide: REQUEST_TURNS, useValue: requestTurns(atOnce) },
        { provide: STRANGER_TURNS, useValue: strangerTurns(atOnce) },
        ...useCases([
          signIn.addresses,
          signIn.authenticateIssuerToken,
          signIn.readBrowserSessions,
          signIn.requireFreshSignIn,
        ]),
      ],
      exports: [DATABASE, REQUEST_BUDGET],
    };
  }
}
