import { Readable } from 'node:stream';
import { Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { BuildEvidencePack } from '#lib/audit';
import { canonicalJson } from '#lib/canonical';
import {
  periodPackLineSchema,
  periodQuerySchema,
  periodReportQuerySchema,
  productionChangeReportSchema,
  type PeriodReportQuery,
} from '#lib/api-schemas';
import { actorOf, isUuid, type Principal, type RunId, toTimestamp } from '#lib/kernel';
import { ReportProductionChanges, type ChangeCursor, type Period } from '#lib/report';
import {
  Answers,
  AnswersAs,
  CurrentPrincipal,
  decodeCursor,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';

const LIST = 'production-changes';

@ApiTags('Reports')
@Controller('v1/reports/production-changes')
export class ReportsController {
  constructor(
    private readonly report: ReportProductionChanges,
    private readonly packs: BuildEvidencePack,
  ) {}

  @Summary(
    'Every run in production of a period, oldest first, its exceptions, and counts over the same rows; also as CSV.',
  )
  @Get()
  @RequireScope('audit')
  @Answers(200, productionChangeReportSchema)
  @AnswersAs('application/json', 'text/csv')
  async changes(
    @CurrentPrincipal() caller: Principal,
    @Query({ schema: periodReportQuerySchema }) query: PeriodReportQuery,
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const after = cursorOf(query.cursor);
    const page = { limit: query.limit + 1, after };
    const { period, totals, changes } = unwrap(await this.report.page(caller.tenantId, periodOf(query), page));
    if (query.format === 'csv' || (query.format === undefined && accept?.includes('text/csv') === true)) {
      void reply
        .header('content-type', 'text/csv; charset=utf-8; header=present')
        .header('content-disposition', attachment(period, 'csv'))
        .send(Readable.from(this.report.csv(caller.tenantId, period)));
      return;
    }
    const listed = toPage(
      LIST,
      changes,
      query.limit,
      (change) => [Date.parse(change.occurred_at), change.run_id],
      (change) => change,
    );
    void reply.send({ ...listed, from: toTimestamp(period.from), until: toTimestamp(period.until), totals });
  }

  @Summary(
    'An evidence pack for every plan executed in production in a period: one a line (NDJSON), each byte for byte.',
  )
  @Get('packs')
  @RequireScope('audit')
  @Answers(200, periodPackLineSchema, 'A pack a line.')
  @AnswersAs('application/x-ndjson')
  async evidence(
    @CurrentPrincipal() caller: Principal,
    @Query({ schema: periodQuerySchema }) query: z.infer<typeof periodQuerySchema>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = { limit: 1, after: null };
    const { period } = unwrap(await this.report.page(caller.tenantId, periodOf(query), page));
    void reply
      .header('content-type', 'application/x-ndjson; charset=utf-8')
      .header('content-disposition', attachment(period, 'packs.ndjson'))
      .send(Readable.from(this.#packs(caller, period)));
  }

  /** One pack is held at a time. */
  async *#packs(caller: Principal, period: Period): AsyncGenerator<string> {
    const actor = actorOf(caller);
    for await (const planId of this.report.plans(caller.tenantId, period)) {
      const pack = await this.packs.execute(caller.tenantId, { subject: { type: 'plan', id: planId }, actor });
      yield pack.ok
        ? `${pack.value}\n`
        : `${canonicalJson({ format: 'countersign.no-pack.v1', plan_id: planId, code: pack.error.code, detail: pack.error.message })}\n`;
    }
  }
}

const periodOf = ({ from, until }: { readonly from: string; readonly until: string }): Period => ({
  from: Date.parse(from),
  until: Date.parse(until),
});

const attachment = ({ from, until }: Period, ending: string): string =>
  `attachment; filename="production-changes-${toTimestamp(from).slice(0, 10)}-${toTimestamp(until).slice(0, 10)}.${ending}"`;

function cursorOf(cursor: string | undefined): ChangeCursor | null {
  const [occurredAt, runId] = decodeCursor(LIST, cursor) ?? [];
  return typeof occurredAt === 'number' && typeof runId === 'string' && isUuid(runId)
    ? // It has the form of an id.
      { occurredAt, runId: runId as RunId }
    : null;
}
