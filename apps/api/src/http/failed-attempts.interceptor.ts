import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ACCESS, type Access } from './access.js';
import { FailedAttempts } from './failed-attempts.js';

/** Watches the routes that look at a one-time token or a signature themselves; the access guard watches all others. */
@Injectable()
export class FailedAttemptsInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly attempts: FailedAttempts,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (access?.kind !== 'public' || access.way !== 'exchange') return next.handle();
    const { ip } = context.switchToHttp().getRequest<FastifyRequest>();
    const handled = (): Promise<unknown> => lastValueFrom(next.handle(), { defaultValue: undefined });
    return from(this.attempts.watch(ip, 'exchange', handled));
  }
}
