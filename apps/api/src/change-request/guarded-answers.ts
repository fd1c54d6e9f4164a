import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ChangeRequestView } from '#lib/api-schemas';
import { ReadRoles } from '#lib/identity';
import type { Guarded, Principal } from '#lib/kernel';
import { changeRequestView } from './change-views.js';
import { rolesOfChange } from './roles-of-change.js';

export const ALONE = {
  guarded: false,
  guardrail_warning:
    'This loosens the gate and was applied at once: nobody else could confirm it. With a second PlatformAdmin, such changes wait for the other one.',
} as const;

/** Answers of routes that may open a change request. */
@Injectable()
export class GuardedAnswers {
  constructor(private readonly roles: ReadRoles) {}

  /**
   * @param warnings likely mistakes, for a change that was carried out. A change request has its own.
   * @returns the answer of the carried out change, with a warning if one person did it alone; 202 and the change if it waits.
   */
  async of<T, View extends object>(
    by: Principal,
    reply: FastifyReply,
    guarded: Guarded<T>,
    view: (value: T) => View | Promise<View>,
    warnings: readonly string[] = [],
  ): Promise<(View & { guarded?: false; guardrail_warning?: string; role_warnings?: string[] }) | ChangeRequestView> {
    if (guarded.outcome === 'done')
      return {
        ...(await view(guarded.value)),
        ...(guarded.alone ? ALONE : {}),
        ...(warnings.length === 0 ? {} : { role_warnings: [...warnings] }),
      };
    void reply.status(202).header('location', `/v1/change-requests/${guarded.change.id}`);
    return changeRequestView(guarded, new Map(), await this.roles.warnings(by.tenantId, rolesOfChange(guarded.change)));
  }
}
