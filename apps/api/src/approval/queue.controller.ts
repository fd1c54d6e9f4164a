import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { LocateAutonomyLine } from '#lib/autonomy';
import {
  approvalRequestSchema,
  approvalStatisticsQuerySchema,
  approvalStatisticsSchema,
  pageQuerySchema,
  queueSchema,
  type ApprovalRequestView,
  type ApprovalStatistics,
  type ApprovalStatisticsQuery,
  type PageQuery,
} from '#lib/api-schemas';
import { TOOL_LEVELS, uuidSchema, type ToolLevel } from '#lib/formats';
import { ClaimRequest, ReadQueue, ReadStatistics, type QueueKey } from '#lib/approval';
import {
  FailureError,
  isUuid,
  type ApprovalRequestId,
  type Failure,
  type PersonPrincipal,
  type Principal,
} from '#lib/kernel';
import {
  Answers,
  AnswersNothing,
  CurrentPerson,
  CurrentPrincipal,
  decodeCursor,
  encodeCursor,
  OneTransaction,
  RequirePerson,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { queuedView, requestView, statisticsView } from './approval-views.js';

@ApiTags('Approval')
@Controller('v1')
export class QueueController {
  constructor(
    private readonly queue: ReadQueue,
    private readonly claims: ClaimRequest,
    private readonly reading: ReadStatistics,
    private readonly autonomyLines: LocateAutonomyLine,
  ) {}

  @Summary(
    'The open requests that policy lets the caller approve now, and that the caller has not reviewed. Riskiest first, then by number of targets and time left.',
  )
  @Get('queue')
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, queueSchema, 'A page may hold fewer than asked for and still not be the last.')
  async mine(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof queueSchema>> {
    const { items, next } = await this.queue.execute(by, { limit: query.limit, after: keyOf(query.cursor) });
    const requests = items.map(({ request }) => request);
    const lines = await this.autonomyLines.executeAll(by.tenantId, requests);
    return {
      items: items.map((item) => queuedView(item, lines.get(item.request) ?? null)),
      next_cursor: next === null ? null : encodeCursor(LIST, [next.risk, next.targets, next.expiresAt, next.id]),
    };
  }

  @Summary('Says for 15 minutes that the caller is looking at a request. Other people can still review it.')
  @Post('approval-requests/:id/claim')
  @HttpCode(200)
  @RequireScope('review')
  @RequirePerson()
  @OneTransaction()
  @Answers(200, approvalRequestSchema)
  async claim(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ApprovalRequestId,
  ): Promise<ApprovalRequestView> {
    const overview = unwrap(await this.claims.claim(by, id));
    return requestView(overview, await this.autonomyLines.ofRevision(by.tenantId, overview.request));
  }

  @Summary("Takes the caller's claim back; if there is none, nothing changes.")
  @Delete('approval-requests/:id/claim')
  @RequireScope('review')
  @RequirePerson()
  @AnswersNothing()
  async release(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ApprovalRequestId,
  ): Promise<void> {
    unwrap(await this.claims.release(by, id));
  }

  @Summary(
    'A screen shows the request to the caller. The first time is kept: it is from where their time to decide counts.',
  )
  @Post('approval-requests/:id/seen')
  @RequireScope('review')
  @RequirePerson()
  @AnswersNothing()
  async seen(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ApprovalRequestId,
  ): Promise<void> {
    unwrap(await this.claims.seen(by, id));
  }

  @Summary(
    'Time to decision, approvals within five seconds of the first look, and overrides, by tool, by agent or by person.',
  )
  @Get('approval-statistics')
  @RequireScope('read')
  @Answers(200, approvalStatisticsSchema)
  async statistics(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: approvalStatisticsQuerySchema }) query: ApprovalStatisticsQuery,
  ): Promise<ApprovalStatistics> {
    if (query.by === 'person' && by.kind !== 'person') throw new FailureError(forPeople);
    const { period, statistics } = await this.reading.execute(by, query.by, {
      from: query.from === undefined ? null : Date.parse(query.from),
      until: query.until === undefined ? null : Date.parse(query.until),
    });
    return statisticsView(query.by, period, statistics);
  }
}

const forPeople: Failure = {
  kind: 'forbidden',
  code: 'approval.person_only',
  message: 'Only people read how each person decides.',
  action: 'Ask by tool or by agent.',
};

const LIST = 'queue';

function keyOf(cursor: string | undefined): QueueKey | null {
  const key = decodeCursor(LIST, cursor);
  if (key === null) return null;
  const [risk, targets, expiresAt, id] = key;
  if (
    !isLevel(risk) ||
    !Number.isSafeInteger(targets) ||
    typeof targets !== 'number' ||
    typeof expiresAt !== 'number' ||
    !Number.isSafeInteger(expiresAt) ||
    typeof id !== 'string' ||
    !isUuid(id)
  ) {
    throw new FailureError({
      kind: 'unprocessable',
      code: 'request.cursor_invalid',
      message: 'The cursor is not one that this list gave out.',
      action: 'Begin without a cursor, and pass next_cursor back unchanged.',
    });
  }
  // The look above has checked its form.
  return { risk, targets, expiresAt, id: id as ApprovalRequestId };
}

const isLevel = (value: unknown): value is ToolLevel => TOOL_LEVELS.some((level) => level === value);
