import { Body, Controller, Get, Headers, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  checkedHooksSchema,
  hookExecutionListSchema,
  hookExecutionQuerySchema,
  lifecycleHooksSchema,
  lifecycleHookViewSchema,
  putLifecycleHooksSchema,
  switchLifecycleHookSchema,
  type ChangeRequestView,
  type CheckedHooksView,
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
  etagOf,
  MayWait,
  pageAfter,
  requireIfMatch,
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

  @Summary('The lifecycle hooks, each with its latest execution. Their ETag is that of the document.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, lifecycleHooksSchema)
  async list(
    @CurrentPerson() by: PersonPrincipal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LifecycleHooksView> {
    const view = lifecycleHooksView(await this.reading.all(by.tenantId));
    void reply.header('etag', view.etag);
    return view;
  }

  @Summary(
    'Puts the lifecycle hooks in force; a command hook that is new, changed or switched on waits for a second person. Takes the ETag of those it replaces as If-Match.',
  )
  @Put()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, lifecycleHooksSchema)
  @MayWait()
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Headers('if-match') ifMatch: string | undefined,
    @Body({ schema: putLifecycleHooksSchema }) { source }: PutLifecycleHooksBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LifecycleHooksView | ChangeRequestView> {
    const requireCurrent = (revision: string): void => {
      requireIfMatch(ifMatch, etagOf(revision));
    };
    const put = unwrap(await this.changing.put(by, source, requireCurrent));
    return this.answers.of(by, reply, put, (hooks) => {
      const view = lifecycleHooksView({ hooks, latest: new Map() });
      void reply.header('etag', view.etag);
      return view;
    });
  }

  @Summary('Checks hooks that are saved nowhere, and says which of their commands would wait for a second person.')
  @Post('validate')
  @HttpCode(200)
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, checkedHooksSchema)
  async validate(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: putLifecycleHooksSchema }) { source }: PutLifecycleHooksBody,
  ): Promise<CheckedHooksView> {
    return { loosens: [...unwrap(await this.changing.validate(by, source))] };
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
