import { Body, Controller, Get, Param, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { executorListSchema, executorViewSchema, type ChangeRequestView, type ExecutorView } from '#lib/api-schemas';
import {
  PLATFORM_ADMIN,
  environmentNameSchema,
  executorDocumentSchema,
  executorNameSchema,
  type ExecutorDocument,
} from '#lib/formats';
import type { PersonPrincipal, Principal } from '#lib/kernel';
import { PutExecutor, ReadRegistry } from '#lib/tool';
import {
  Answers,
  CurrentPerson,
  CurrentPrincipal,
  MayWait,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { executorView } from './views.js';

@ApiTags('Executors')
@Controller('v1/environments/:environment/executors')
export class ExecutorsController {
  constructor(
    private readonly reading: ReadRegistry,
    private readonly putting: PutExecutor,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The executors of an environment, by its name.')
  @Get()
  @RequireScope('read')
  @Answers(200, executorListSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Param('environment', { schema: environmentNameSchema }) environment: string,
  ): Promise<z.infer<typeof executorListSchema>> {
    return { executors: unwrap(await this.reading.executorsOf(by, environment)).map((each) => executorView(by, each)) };
  }

  @Summary('One executor of an environment.')
  @Get(':name')
  @RequireScope('read')
  @Answers(200, executorViewSchema)
  async get(
    @CurrentPrincipal() by: Principal,
    @Param('environment', { schema: environmentNameSchema }) environment: string,
    @Param('name', { schema: executorNameSchema }) name: string,
  ): Promise<ExecutorView> {
    return executorView(by, unwrap(await this.reading.executor(by, environment, name)));
  }

  @Summary('Sets the executors of tools in an environment. A changed address voids approvals given for the old one.')
  @Put(':name')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, executorViewSchema)
  @MayWait()
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Param('environment', { schema: environmentNameSchema }) environment: string,
    @Param('name', { schema: executorNameSchema }) name: string,
    @Body({ schema: executorDocumentSchema }) body: ExecutorDocument,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ExecutorView | ChangeRequestView> {
    const put = unwrap(await this.putting.execute(by, environment, name, body));
    return this.answers.of(by, reply, put, (executor) => executorView(by, executor));
  }
}
