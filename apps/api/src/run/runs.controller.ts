import { Body, Controller, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { LocateAutonomyLine } from '#lib/autonomy';
import {
  controlRunSchema,
  pageQuerySchema,
  reportAttemptSchema,
  resolveUnknownSchema,
  runDetailSchema,
  runEventPageSchema,
  runPageSchema,
  runQuerySchema,
  runSchema,
  runWorkSchema,
  type ControlRunBody,
  type PageQuery,
  type ReportAttemptBody,
  type RunDetailView,
  type RunQuery,
  type RunView,
  type RunWorkView,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { PersonPrincipal, PlanId, Principal, RunId, TaskId } from '#lib/kernel';
import {
  AgentWork,
  ControlRun,
  ReadRuns,
  ReportAttempt,
  ResolveStep,
  ResumeRun,
  StartRun,
  type RunFilter,
  type RunRequest,
  type AttemptId,
  type RunStepId,
} from '#lib/run';
import {
  Answers,
  AnswersAs,
  CurrentPerson,
  CurrentPrincipal,
  decodeCursor,
  Idempotent,
  pageAfter,
  RequirePerson,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { reportedOutcome } from '../http/reported-outcome.js';
import { workFilterOf } from '../http/work-filter-of.js';
import { EventStreams } from '../live/event-streams.js';
import { RunEventStreams } from './run-event-streams.js';
import { runDetailView, runEventView, runView, workItemView } from './run-views.js';

const EVENTS = 'run-events';

@ApiTags('Runs')
@Controller('v1')
export class RunsController {
  constructor(
    private readonly starting: StartRun,
    private readonly controlling: ControlRun,
    private readonly resuming: ResumeRun,
    private readonly resolving: ResolveStep,
    private readonly reading: ReadRuns,
    private readonly working: AgentWork,
    private readonly reporting: ReportAttempt,
    private readonly streams: EventStreams,
    private readonly following: RunEventStreams,
    private readonly autonomyLines: LocateAutonomyLine,
  ) {}

  @Summary('Starts a run of a plan that is approved or needs no approval.')
  @Post('plans/:id/runs')
  @RequireScope('run')
  @Idempotent()
  @Answers(201, runSchema)
  async start(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) planId: PlanId,
  ): Promise<RunView> {
    return runView(unwrap(await this.starting.execute(by, planId)));
  }

  @Summary('Runs, newest first.')
  @Get('runs')
  @RequireScope('read')
  @Answers(200, runPageSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: runQuerySchema }) query: RunQuery,
  ): Promise<z.infer<typeof runPageSchema>> {
    const filter: RunFilter = {
      ...workFilterOf(query),
      ...(query.state === undefined ? {} : { state: query.state }),
      // The schema of the query has checked the form of both ids.
      ...(query.task_id === undefined ? {} : { taskId: query.task_id as TaskId }),
      // As above.
      ...(query.plan_id === undefined ? {} : { planId: query.plan_id as PlanId }),
    };
    const runs = await this.reading.list(by.tenantId, filter, pageAfter('runs', query));
    return toPage('runs', runs, query.limit, ({ createdAt, id }) => [createdAt, id], runView);
  }

  @Summary('A run, its steps and attempts, the reason for any wait, and the decision and autonomy line behind it.')
  @Get('runs/:id')
  @RequireScope('read')
  @Answers(200, runDetailSchema)
  async get(@CurrentPrincipal() by: Principal, @Param('id', { schema: uuidSchema }) id: RunId): Promise<RunDetailView> {
    const explained = unwrap(await this.reading.get(by.tenantId, id));
    return runDetailView(explained, await this.autonomyLines.execute(by.tenantId, explained.decision));
  }

  @Summary('The events of a run in order; with Accept: text/event-stream as they happen, from Last-Event-ID on.')
  @Get('runs/:id/events')
  @RequireScope('read')
  @Answers(200, runEventPageSchema)
  @AnswersAs('application/json', 'text/event-stream')
  async events(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: RunId,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = seqOf(decodeCursor(EVENTS, query.cursor)?.[0]);
    const page = unwrap(await this.reading.events(by.tenantId, id, after, query.limit + 1));
    if (accept?.includes('text/event-stream') !== true) {
      await reply.send(toPage(EVENTS, page.events, query.limit, ({ seq }) => [seq], runEventView));
      return;
    }
    await this.following.send(this.streams.open(reply, by), by.tenantId, id, Math.max(after, seqOf(lastEventId)));
  }

  @Summary('Asks a run to pause before its next step.')
  @Post('runs/:id/pause')
  @RequireScope('run')
  @Answers(202, runSchema)
  pause(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: RunId,
    @Body({ schema: controlRunSchema }) body: ControlRunBody,
  ): Promise<RunView> {
    return this.#control(by, id, 'pause', body);
  }

  @Summary('Asks a run to end now, without rolling back.')
  @Post('runs/:id/cancel')
  @RequireScope('run')
  @Answers(202, runSchema)
  cancel(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: RunId,
    @Body({ schema: controlRunSchema }) body: ControlRunBody,
  ): Promise<RunView> {
    return this.#control(by, id, 'cancel', body);
  }

  @Summary('Asks a run to undo its steps, the last one first.')
  @Post('runs/:id/roll-back')
  @RequireScope('run')
  @Answers(202, runSchema)
  rollBack(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: RunId,
    @Body({ schema: controlRunSchema }) body: ControlRunBody,
  ): Promise<RunView> {
    return this.#control(by, id, 'roll_back', body);
  }

  @Summary('Lets a paused run go on; policy is asked again before its next step.')
  @Post('runs/:id/resume')
  @RequireScope('run')
  @RequirePerson()
  @Answers(200, runSchema)
  async resume(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: RunId,
    @Body({ schema: controlRunSchema }) body: ControlRunBody,
  ): Promise<RunView> {
    return runView(unwrap(await this.resuming.execute(by, id, body.note ?? null)));
  }

  @Summary('Records the outcome that a person found out about a step with an unknown effect.')
  @Post('runs/:id/steps/:stepId/resolve')
  @RequireScope('run')
  @RequirePerson()
  @Answers(200, runSchema)
  async resolve(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: RunId,
    @Param('stepId', { schema: uuidSchema }) stepId: RunStepId,
    @Body({ schema: resolveUnknownSchema }) body: z.infer<typeof resolveUnknownSchema>,
  ): Promise<RunView> {
    return runView(unwrap(await this.resolving.execute(by, id, stepId, body)));
  }

  @Summary('The calls that the agent which submitted the plan carries out itself, each with its grant.')
  @Get('runs/:id/work')
  @RequireScope('run')
  @Answers(200, runWorkSchema)
  async work(@CurrentPrincipal() by: Principal, @Param('id', { schema: uuidSchema }) id: RunId): Promise<RunWorkView> {
    return { items: unwrap(await this.working.execute(by, id)).map(workItemView) };
  }

  @Summary('Reports the result of a call that the agent carried out itself; shown as unverified.')
  @Post('runs/:id/attempts/:attemptId/report')
  @RequireScope('run')
  @Answers(200, runSchema)
  async report(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: RunId,
    @Param('attemptId', { schema: uuidSchema }) attemptId: AttemptId,
    @Body({ schema: reportAttemptSchema }) body: ReportAttemptBody,
  ): Promise<RunView> {
    const report = { jti: body.jti, argumentsDigest: body.arguments_digest, outcome: reportedOutcome(body) };
    return runView(unwrap(await this.reporting.execute(by, id, attemptId, report)));
  }

  async #control(by: Principal, id: RunId, request: RunRequest, body: ControlRunBody): Promise<RunView> {
    return runView(unwrap(await this.controlling.execute(by, id, request, body.note ?? null)));
  }
}

/** An event's number, as a cursor or a Last-Event-ID holds it; the beginning for anything else. */
function seqOf(text: string | number | undefined): number {
  const seq = Number(text ?? 0);
  return Number.isSafeInteger(seq) && seq > 0 && seq < 2 ** 31 ? seq : 0;
}
