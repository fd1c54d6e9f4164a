import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { LocateAutonomyLine } from '#lib/autonomy';
import {
  explainedTaskSchema,
  taskPageSchema,
  taskQuerySchema,
  taskSchema,
  type ExplainedTaskView,
  type TaskListQuery,
  type TaskView,
} from '#lib/api-schemas';
import { taskSpecSchema, uuidSchema, type TaskSpec } from '#lib/formats';
import type { Principal, TaskId } from '#lib/kernel';
import { ReadHeadlines } from '#lib/plan';
import { ReadDecisions } from '#lib/policy';
import { CancelTask, CreateTask, GetTask, ListTasks } from '#lib/task';
import {
  Answers,
  CurrentPrincipal,
  Idempotent,
  pageAfter,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { workFilterOf } from '../http/work-filter-of.js';
import { headlineView } from '../plan/headlines.js';
import { explainedTaskView, taskView } from './task-views.js';

@ApiTags('Tasks')
@Controller('v1/tasks')
export class TasksController {
  constructor(
    private readonly creating: CreateTask,
    private readonly reading: GetTask,
    private readonly listing: ListTasks,
    private readonly cancelling: CancelTask,
    private readonly decisions: ReadDecisions,
    private readonly autonomyLines: LocateAutonomyLine,
    private readonly headlines: ReadHeadlines,
  ) {}

  @Summary('Submits a task: a goal in one environment.')
  @Post()
  @RequireScope('submit')
  @Idempotent()
  @Answers(201, taskSchema)
  async create(@CurrentPrincipal() by: Principal, @Body({ schema: taskSpecSchema }) spec: TaskSpec): Promise<TaskView> {
    return taskView(unwrap(await this.creating.execute(by, spec)), headlineView(null));
  }

  @Summary('The tasks of the tenant, newest first.')
  @Get()
  @RequireScope('read')
  @Answers(200, taskPageSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: taskQuerySchema }) query: TaskListQuery,
  ): Promise<z.infer<typeof taskPageSchema>> {
    const wanted = {
      ...workFilterOf(query),
      ...(query.state === undefined ? {} : { state: query.state }),
    };
    const tasks = await this.listing.execute(by, wanted, pageAfter('tasks', query));
    const headlines = await this.headlines.execute(
      by.tenantId,
      tasks.map(({ id }) => id),
    );
    return toPage(
      'tasks',
      tasks,
      query.limit,
      ({ createdAt, id }) => [createdAt, id],
      (task) => taskView(task, headlineView(headlines.get(task.id))),
    );
  }

  @Summary('A task, and the latest decision about it.')
  @Get(':id')
  @RequireScope('read')
  @Answers(200, explainedTaskSchema)
  async get(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: TaskId,
  ): Promise<ExplainedTaskView> {
    const task = unwrap(await this.reading.execute(by, id));
    const about = [{ type: 'task', id }];
    const [decision = null] = await this.decisions.list(by.tenantId, about, { limit: 1, after: null });
    const headlines = await this.headlines.execute(by.tenantId, [id]);
    const headline = headlineView(headlines.get(id));
    return explainedTaskView(task, headline, decision, await this.autonomyLines.execute(by.tenantId, decision));
  }

  @Summary('Gives a task up before any of it is executed; its live plan is withdrawn, and its requests are voided.')
  @Post(':id/cancel')
  @RequireScope('submit')
  @Answers(200, taskSchema)
  async cancel(@CurrentPrincipal() by: Principal, @Param('id', { schema: uuidSchema }) id: TaskId): Promise<TaskView> {
    const task = unwrap(await this.cancelling.execute(by, id));
    const headlines = await this.headlines.execute(by.tenantId, [id]);
    return taskView(task, headlineView(headlines.get(id)));
  }
}
