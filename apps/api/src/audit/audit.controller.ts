import { Readable } from 'node:stream';
import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  entryCsvHeader,
  entryCsvRecord,
  ExportAuditEntries,
  GetAuditEntry,
  GetConsistencyProof,
  GetLatestCheckpoint,
  ListAuditActions,
  ListAuditEntries,
  ListAuditKeys,
  RotateAuditKey,
  StartEpoch,
  type AuditEntryView,
  type EntryCursor,
  type EntryFilter,
} from '#lib/audit';
import {
  auditActionListSchema,
  auditEntryPageSchema,
  auditEntrySchema,
  auditExportQuerySchema,
  auditKeyListSchema,
  auditKeyRotatedSchema,
  auditQuerySchema,
  callDecisionPageSchema,
  callDecisionQuerySchema,
  checkpointSchema,
  consistencyProofSchema,
  consistencyQuerySchema,
  epochSchema,
  provenAuditEntrySchema,
  startEpochSchema,
  type ChangeRequestView,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, uuidSchema } from '#lib/formats';
import { isUuid, type AuditEntryId, type PersonPrincipal, type Principal } from '#lib/kernel';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import {
  Answers,
  AnswersAs,
  CurrentPerson,
  CurrentPrincipal,
  decodeCursor,
  Idempotent,
  MayWait,
  RequirePerson,
  RequireRole,
  RequireScope,
  Summary,
  toPage,
  unwrap,
  thingsOf,
  type PageKey,
} from '../http/index.js';
import { CallDecisionViews } from './call-decision-views.js';
import { checkpointView, entryView, keyView, provenEntryView } from './audit-views.js';

type AuditQuery = z.infer<typeof auditQuerySchema>;

@ApiTags('Audit')
@Controller('v1/audit')
export class AuditController {
  constructor(
    private readonly listing: ListAuditEntries,
    private readonly listingActions: ListAuditActions,
    private readonly exporting: ExportAuditEntries,
    private readonly gettingEntry: GetAuditEntry,
    private readonly latestCheckpoint: GetLatestCheckpoint,
    private readonly consistencyProof: GetConsistencyProof,
    private readonly listingKeys: ListAuditKeys,
    private readonly startEpoch: StartEpoch,
    private readonly rotateKey: RotateAuditKey,
    private readonly callDecisions: CallDecisionViews,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary(
    'Decisions on single tool calls, newest first, by session, agent, tool, tier and class of the command line, or decision.',
  )
  @Get()
  @RequireScope('audit')
  @Answers(200, callDecisionPageSchema)
  async decisions(
    @CurrentPrincipal() caller: Principal,
    @Query({ schema: callDecisionQuerySchema }) query: z.infer<typeof callDecisionQuerySchema>,
  ): Promise<z.infer<typeof callDecisionPageSchema>> {
    const { agent_id, decision, tier, class: shellClass, command_lines, ...others } = query;
    const calls = {
      ...(agent_id === undefined ? {} : { agentId: agent_id }),
      ...(command_lines === undefined ? {} : { commandLines: true }),
      ...(decision === undefined ? {} : { decidedAs: decision }),
      ...(tier === undefined ? {} : { tier }),
      ...(shellClass === undefined ? {} : { shellClass }),
    };
    const { items, next_cursor } = await this.#page(caller, 'call-decisions', others, { ...filterOf(others), calls });
    return { items: await this.callDecisions.of(caller, items), next_cursor };
  }

  @Summary(
    'Entries by time, actor, subject, action, level, tool, outcome of the decision, task, plan or session, newest first.',
  )
  @Get('entries')
  @RequireScope('audit')
  @Answers(200, auditEntryPageSchema)
  async list(
    @CurrentPrincipal() caller: Principal,
    @Query({ schema: auditQuerySchema }) query: AuditQuery,
  ): Promise<z.infer<typeof auditEntryPageSchema>> {
    const { items, next_cursor } = await this.#page(caller, 'audit-entries', query, filterOf(query));
    return { items: items.map(entryView), next_cursor };
  }

  async #page(
    caller: Principal,
    list: string,
    { limit, cursor }: Pick<AuditQuery, 'limit' | 'cursor'>,
    filter: EntryFilter,
  ): Promise<{ readonly items: AuditEntryView[]; readonly next_cursor: string | null }> {
    const after = cursorOf(list, cursor);
    const page = { limit: limit + 1, ...(after === null ? {} : { after }) };
    const { entries } = await this.listing.execute(caller.tenantId, filter, page);
    const keyOf = ({ header }: AuditEntryView): PageKey => [Date.parse(header.occurred_at), header.id];
    return toPage(list, entries, limit, keyOf, (entry) => entry);
  }

  @Summary('The actions that the log holds entries of, to choose from.')
  @Get('actions')
  @RequireScope('audit')
  @Answers(200, auditActionListSchema)
  async actions(@CurrentPrincipal() caller: Principal): Promise<z.infer<typeof auditActionListSchema>> {
    return { items: [...(await this.listingActions.execute(caller.tenantId))] };
  }

  @Summary('Every entry that the filters find, newest first, as CSV or as JSON, one a line; 100,000 at most.')
  @Get('export')
  @RequireScope('audit')
  @Answers(200, auditEntrySchema, 'An entry a line.')
  @AnswersAs('application/x-ndjson', 'text/csv')
  async export(
    @CurrentPrincipal() caller: Principal,
    @Query({ schema: auditExportQuerySchema }) { format, ...query }: z.infer<typeof auditExportQuerySchema>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const pages = unwrap(await this.exporting.execute(caller.tenantId, filterOf(query)));
    const type = format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson; charset=utf-8';
    void reply
      .header('content-type', type)
      .header('content-disposition', `attachment; filename="audit-entries.${format}"`)
      .send(Readable.from(format === 'csv' ? csvOf(pages) : linesOf(pages)));
  }

  @Summary('One entry, with the proof that the log holds it.')
  @Get('entries/:id')
  @RequireScope('audit')
  @Answers(200, provenAuditEntrySchema)
  async get(
    @CurrentPrincipal() caller: Principal,
    @Param('id', { schema: uuidSchema }) id: AuditEntryId,
  ): Promise<z.infer<typeof provenAuditEntrySchema>> {
    return provenEntryView(unwrap(await this.gettingEntry.execute(caller.tenantId, id)));
  }

  @Summary('The latest signed checkpoint. Keep one outside: a database that is restored or rewritten cannot match it.')
  @Get('checkpoint')
  @RequireScope('audit')
  @Answers(200, checkpointSchema)
  async checkpoint(@CurrentPrincipal() caller: Principal): Promise<z.infer<typeof checkpointSchema>> {
    return checkpointView(unwrap(await this.latestCheckpoint.execute(caller.tenantId)));
  }

  @Summary('A proof that the log only grew between two sizes.')
  @Get('consistency')
  @RequireScope('audit')
  @Answers(200, consistencyProofSchema)
  async consistency(
    @CurrentPrincipal() caller: Principal,
    @Query({ schema: consistencyQuerySchema }) query: z.infer<typeof consistencyQuerySchema>,
  ): Promise<z.infer<typeof consistencyProofSchema>> {
    const wanted = {
      epoch: query.epoch,
      first: query.first,
      ...(query.second === undefined ? {} : { second: query.second }),
    };
    const { second, proof } = unwrap(await this.consistencyProof.execute(caller.tenantId, wanted));
    return { epoch: query.epoch, first: query.first, second, proof: proof.map((hash) => bytesToHex(hash)) };
  }

  @Summary('The public keys that checkpoints are signed with, past ones too.')
  @Get('keys')
  @RequireScope('audit')
  @Answers(200, auditKeyListSchema)
  async keys(@CurrentPrincipal() caller: Principal): Promise<z.infer<typeof auditKeyListSchema>> {
    return { items: (await this.listingKeys.execute(caller.tenantId)).map(keyView) };
  }

  @Summary(
    'Puts a new signing key in place of the current one, which stays in the history; it waits for a second person.',
  )
  @Post('keys')
  @RequireScope('admin')
  @RequirePerson()
  @RequireRole(PLATFORM_ADMIN)
  @Idempotent({ actsOutside: 'It makes a signing key outside the database.' })
  @Answers(201, auditKeyRotatedSchema, 'The key that signs from now on.')
  @MayWait()
  async rotate(
    @CurrentPerson() caller: PersonPrincipal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof auditKeyRotatedSchema> | ChangeRequestView> {
    return this.answers.of(caller, reply, unwrap(await this.rotateKey.execute(caller)), keyView);
  }

  @Summary(
    'After a restore from a backup. Starts a new epoch of the log, refuses grants and approvals from before, and pauses runs. It waits for a second person; on the server, `countersign restored` does not.',
  )
  @Post('epochs')
  @RequireScope('admin')
  @RequirePerson()
  @RequireRole(PLATFORM_ADMIN)
  @Idempotent()
  @Answers(201, epochSchema, 'The epoch that counts from now on.')
  @MayWait()
  async restored(
    @CurrentPerson() caller: PersonPrincipal,
    @Body({ schema: startEpochSchema }) body: z.infer<typeof startEpochSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof epochSchema> | ChangeRequestView> {
    const command = { reason: body.reason, lastPublished: body.last_published };
    return this.answers.of(caller, reply, unwrap(await this.startEpoch.execute(caller, command)), (epoch) => ({
      epoch,
    }));
  }
}

async function* csvOf(pages: AsyncIterable<readonly AuditEntryView[]>): AsyncGenerator<string> {
  yield entryCsvHeader();
  for await (const entries of pages) yield entries.map(entryCsvRecord).join('');
}

async function* linesOf(pages: AsyncIterable<readonly AuditEntryView[]>): AsyncGenerator<string> {
  for await (const entries of pages) yield entries.map((entry) => `${JSON.stringify(entryView(entry))}\n`).join('');
}

function cursorOf(list: string, cursor: string | undefined): EntryCursor | null {
  const [occurredAt, id] = decodeCursor(list, cursor) ?? [];
  return typeof occurredAt === 'number' && typeof id === 'string' && isUuid(id)
    ? // It has the form of an id.
      { occurredAt, id: id as AuditEntryId }
    : null;
}

function filterOf(query: Partial<Omit<AuditQuery, 'limit' | 'cursor'>>): EntryFilter {
  return {
    ...(query.actor_id === undefined ? {} : { actorId: query.actor_id }),
    ...(query.subject_type === undefined ? {} : { subjectType: query.subject_type }),
    ...(query.subject_id === undefined ? {} : { subjectId: query.subject_id }),
    ...(query.tool === undefined ? {} : { tool: query.tool }),
    ...(query.outcome === undefined ? {} : { outcome: query.outcome }),
    ...(query.level === undefined ? {} : { level: query.level }),
    ...(query.action === undefined ? {} : { action: query.action }),
    within: thingsOf({ task: query.task_id, plan: query.plan_id, run: query.run_id, session: query.session_id }),
    ...(query.from === undefined ? {} : { from: Date.parse(query.from) }),
    ...(query.until === undefined ? {} : { until: Date.parse(query.until) }),
  };
}
