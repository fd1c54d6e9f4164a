import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { knownRolesSchema, roleQuerySchema, type KnownRolesView, type RoleQuery } from '#lib/api-schemas';
import { ReadRoles } from '#lib/identity';
import type { Principal } from '#lib/kernel';
import { Answers, CurrentPrincipal, RequireScope, Summary } from '../http/index.js';

@ApiTags('People')
@Controller('v1/roles')
export class RolesController {
  constructor(private readonly roles: ReadRoles) {}

  @Summary('The roles of the tenant, each with its sources. With `name`, a warning if that role has no source.')
  @Get()
  @RequireScope('read')
  @Answers(200, knownRolesSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: roleQuerySchema }) { name }: RoleQuery,
  ): Promise<KnownRolesView> {
    const known = await this.roles.known(by.tenantId);
    const warnings = await this.roles.warnings(by.tenantId, name === undefined ? [] : [name]);
    return { items: known.map(({ role, by: sources }) => ({ role, by: [...sources] })), warnings: [...warnings] };
  }
}
