import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FailedAttempts, isLongBody } from '../http/index.js';
import { ProvenRunners } from './proven-runners.js';

/** Recognises the runner that sends a long body before the body is parsed: its proof is over the parsed document. */
@Injectable()
export class RunnerGuard implements CanActivate {
  constructor(
    private readonly proven: ProvenRunners,
    private readonly attempts: FailedAttempts,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (isLongBody(request)) await this.attempts.watch(request.ip, 'exchange', () => this.proven.recognise(request));
    return true;
  }
}
