import { Body, Controller, Get, Headers, Param, Put, Query, Res } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { PutAutonomy, ReadAutonomy } from '#lib/autonomy';
import {
  autonomyChangeSchema,
  autonomyMatrixSchema,
  autonomyRevisionPageSchema,
  autonomyRevisionSchema,
  dryRunQuerySchema,
  matrixQuerySchema,
  pageQuerySchema,
  revisionNumberSchema,
  type AutonomyChange,
  type AutonomyMatrix,
  type AutonomyRevisionView,
  type ChangeRequestView,
  type DryRunQuery,
  type MatrixQuery,
  type PageQuery,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, autonomyDocumentSchema, jsonSchemaSchema } from '#lib/formats';
import { FailureError, type PersonPrincipal, type Principal } from '#lib/kernel';
import {
  Answers,
  CurrentPerson,
  CurrentPrincipal,
  decodeCursor,
  etagOf,
  MayWait,
  requireIfMatch,
  RequireRole,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { cellView, changeView, freezeView, revisionSummary, revisionView } from './views.js';

@ApiTags('Autonomy')
@Controller('v1/autonomy')
export class AutonomyController {
  constructor(
    private readonly reading: ReadAutonomy,
    private readonly putting: PutAutonomy,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The autonomy document in force, byte for byte as it was put. Its ETag is the SHA-256 of those bytes.')
  @Get()
  @RequireScope('read')
  @ApiProduces('application/yaml')
  @ApiOkResponse({ description: 'The document.', content: { 'application/yaml': { schema: { type: 'string' } } } })
  async get(@CurrentPrincipal() by: Principal, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const revision = unwrap(await this.reading.current(by));
    void reply.header('etag', etagOf(revision.sourceSha256));
    void reply.header('content-type', 'application/yaml; charset=utf-8');
    return revision.source;
  }

  @Summary(
    'Puts a document in force; one that loosens waits for a second person. Takes the ETag of the one it replaces as If-Match; dry_run=true only shows its changes.',
  )
  @Put()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @ApiConsumes('application/yaml')
  @Answers(200, autonomyChangeSchema, 'Which cells of the matrix it loosens and tightens.')
  @MayWait()
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Headers('if-match') ifMatch: string | undefined,
    @Body({ schema: z.unknown().meta({ type: 'string', description: 'The autonomy document.' }) }) body: unknown,
    @Query({ schema: dryRunQuerySchema }) query: DryRunQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AutonomyChange | ChangeRequestView> {
    if (typeof body !== 'string') throw new FailureError(notYaml);
    const requireCurrent = (sha256: string | null): void => {
      requireIfMatch(ifMatch, sha256 === null ? null : etagOf(sha256));
    };
    const result = unwrap(await this.putting.execute(by, body, { dryRun: query.dry_run, requireCurrent }));
    return this.answers.of(by, reply, result, (change) => {
      if (change.revision !== null) void reply.header('etag', etagOf(change.revision.sourceSha256));
      return changeView(change, query.dry_run);
    });
  }

  @Summary('The JSON Schema of the document, for editors.')
  @Get('schema')
  @RequireScope('read')
  @Answers(200, jsonSchemaSchema)
  schema(): z.infer<typeof jsonSchemaSchema> {
    return AUTONOMY_JSON_SCHEMA;
  }

  @Summary('The mode of every tool in every environment, and the line of the document that sets it.')
  @Get('matrix')
  @RequireScope('read')
  @Answers(200, autonomyMatrixSchema)
  async matrix(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: matrixQuerySchema }) query: MatrixQuery,
  ): Promise<AutonomyMatrix> {
    const matrix = await this.reading.effective(by, {
      tool: query.tool ?? null,
      environment: query.environment ?? null,
    });
    return {
      revision: matrix.revision,
      bundle_revision: matrix.bundleRevision,
      cells: matrix.cells.map(cellView),
      freezes: matrix.freezes.map(freezeView),
    };
  }

  @Summary('Every revision of the document, newest first.')
  @Get('revisions')
  @RequireScope('read')
  @Answers(200, autonomyRevisionPageSchema)
  async revisions(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof autonomyRevisionPageSchema>> {
    const [after] = decodeCursor('autonomy-revisions', query.cursor) ?? [];
    const page = {
      before: typeof after === 'number' && Number.isSafeInteger(after) ? Math.min(after, 2_147_483_647) : null,
      limit: query.limit + 1,
    };
    const { revisions, inForce } = await this.reading.list(by, page);
    return toPage(
      'autonomy-revisions',
      revisions,
      query.limit,
      ({ number }) => [number],
      (revision) => revisionSummary(revision, revision.number === inForce),
    );
  }

  @Summary('One revision: its source, its author and how it differs from the one before it.')
  @Get('revisions/:number')
  @RequireScope('read')
  @Answers(200, autonomyRevisionSchema)
  async revision(
    @CurrentPrincipal() by: Principal,
    @Param('number', { schema: revisionNumberSchema }) number: number,
  ): Promise<AutonomyRevisionView> {
    return revisionView(unwrap(await this.reading.revision(by, number)));
  }
}

const AUTONOMY_JSON_SCHEMA = {
  ...z.toJSONSchema(autonomyDocumentSchema),
  $schema: 'https://json-schema.org/draft/2020-12/schema',
};

const notYaml = {
  kind: 'unsupported_media_type',
  code: 'autonomy.not_yaml',
  message: 'An autonomy document is sent as YAML.',
  action: 'Send it with Content-Type: application/yaml.',
} as const;
