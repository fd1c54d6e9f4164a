import { Body, Controller, Get, Param, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  hookExecutionListSchema,
  hookExecutionQuerySchema,
  lifecycleHooksSchema,
  lifecycleHookViewSchema,
  putLifecycleHooksSchema,
  switchLifecycleHookSchema,
  type ChangeRequestView,
  type HookExecutionQuery,
  type LifecycleHooksView,
  type LifecycleHookView,
  type PutLifecycleHooksBody,
  type SwitchLifecycleHookBody,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, slugSchema } from '#lib/formats';
import type { PersonPrincipal } from '#lib/kernel';
import { ChangeHooks, ReadHooksInForce } from '#lib/lifecycle-hook';
import {
  Answers,
  CurrentPerson,
  MayWait,
  pageAfter,
  RequireRole,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { hookExecutionView, lifecycleHooksView, lifecycleHookView } from './lifecycle-hook-views.js';

const LIST = 'hook_executions';

@ApiTags('Lifecycle hooks')
@Controller('v1/lifecycle-hooks')
export class LifecycleHooksController {
  constructor(
    private readonly reading: ReadHooksInForce,
    private readonly changing: ChangeHooks,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The lifecycle hooks, each with its latest execution.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, lifecycleHooksSchema)
  async list(@CurrentPerson() by: PersonPrincipal): Promise<LifecycleHooksView> {
    return lifecycleHooksView(await this.reading.all(by.tenantId));
  }

  @Summary(
    'Puts the lifecycle hooks in force. A command hook that is new, changed or switched on waits for a second person.',
  )
  @Put()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, lifecycleHooksSchema)
  @MayWait()
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: putLifecycleHooksSchema }) { source }: PutLifecycleHooksBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LifecycleHooksView | ChangeRequestView> {
    const put = unwrap(await this.changing.put(by, source));
    return this.answers.of(by, reply, put, (hooks) => lifecycleHooksView({ hooks, latest: new Map() }));
  }

  @Summary('The executions of hooks for thirty days, newest first.')
  @Get('executions')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, hookExecutionListSchema)
  async executions(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: hookExecutionQuerySchema }) query: HookExecutionQuery,
  ): Promise<z.infer<typeof hookExecutionListSchema>> {
    const { hook, state } = query;
    const filter = { ...(hook === undefined ? {} : { hook }), ...(state === undefined ? {} : { state }) };
    const found = await this.reading.executionsOf(by.tenantId, filter, pageAfter(LIST, query));
    return toPage(LIST, found, query.limit, (each) => [each.createdAt, each.id], hookExecutionView);
  }

  @Summary('Switches a hook on or off. A command hook that is switched on waits for a second person.')
  @Put(':name/enabled')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, lifecycleHookViewSchema)
  @MayWait()
  async switch(
    @CurrentPerson() by: PersonPrincipal,
    @Param('name', { schema: slugSchema }) name: string,
    @Body({ schema: switchLifecycleHookSchema }) { enabled }: SwitchLifecycleHookBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LifecycleHookView | ChangeRequestView> {
    const switched = unwrap(await this.changing.switch(by, name, enabled));
    return this.answers.of(by, reply, switched, (hook) => lifecycleHookView(hook, null));
  }
}
