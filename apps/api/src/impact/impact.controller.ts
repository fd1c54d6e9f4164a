import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  askImpactSchema,
  impactCellPageSchema,
  impactReportSchema,
  pageQuerySchema,
  type AskImpactBody,
  type ImpactReportView,
  type PageQuery,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, uuidSchema } from '#lib/formats';
import { AskImpact, NO_GROUPS, ReadImpact, type CellKey } from '#lib/impact';
import type { ChangeRequestId, ImpactReportId, PersonPrincipal } from '#lib/kernel';
import { CheckConfiguration } from '../configuration/check-configuration.js';
import {
  Answers,
  CurrentPerson,
  decodeCursor,
  RequirePerson,
  RequireRole,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { impactCellView, impactReportView } from './impact-views.js';
import { proposedConfiguration } from './proposed-configuration.js';

const CELLS = 'impact_cells';

const keyOfCell = ({ inForce, tool, environment, mode }: CellKey) => [inForce ? 0 : 1, tool, environment, mode];

function cellAfter({ cursor }: PageQuery): CellKey | null {
  const key = decodeCursor(CELLS, cursor);
  if (key === null) return null;
  const [supposed, tool, environment, mode] = key.map(String);
  return {
    inForce: supposed === '0',
    tool: tool ?? '',
    environment: environment ?? '',
    // It is only compared with the modes of cells.
    mode: (mode ?? '') as CellKey['mode'],
  };
}

@ApiTags('Impact')
@Controller('v1')
export class ImpactController {
  constructor(
    private readonly checking: CheckConfiguration,
    private readonly asking: AskImpact,
    private readonly reading: ReadImpact,
  ) {}

  @Summary(
    'Takes the decisions of the last days again as if a configuration had been in force. A worker does it: read the report until it is done.',
  )
  @Post('impact-reports')
  // It changes nothing: the credential of a pipeline need not be able to change anything either.
  @RequireScope('audit')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(201, impactReportSchema)
  async ask(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: askImpactSchema }) { configuration, since_days: days }: AskImpactBody,
    @Req() request: FastifyRequest,
  ): Promise<ImpactReportView> {
    // A tool that live plans hold is no obstacle here: nothing is changed.
    await this.checking.require(by, configuration, { requestId: request.id, besides: ['tool.in_use'] });
    const report = unwrap(await this.asking.execute(by, unwrap(proposedConfiguration(configuration)), days));
    return impactReportView({ report, agents: new Map(), groups: NO_GROUPS, cells: [], outdated: false });
  }

  @Summary('One impact report, also while it is at work.')
  @Get('impact-reports/:id')
  @RequireScope('audit')
  @RequirePerson()
  @Answers(200, impactReportSchema)
  async get(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ImpactReportId,
  ): Promise<ImpactReportView> {
    return impactReportView(unwrap(await this.reading.one(by, id)));
  }

  @Summary('The cells that the change of a report loosens: those in force first, then by tool, environment and mode.')
  @Get('impact-reports/:id/cells')
  @RequireScope('audit')
  @RequirePerson()
  @Answers(200, impactCellPageSchema)
  async cells(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ImpactReportId,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof impactCellPageSchema>> {
    const page = { limit: query.limit + 1, after: cellAfter(query) };
    const cells = unwrap(await this.reading.cells(by, id, page));
    return toPage(CELLS, cells, query.limit, keyOfCell, impactCellView);
  }

  @Summary('The impact that a change would have had on the decisions of the 30 days before the question.')
  @Get('change-requests/:id/impact')
  @RequireScope('audit')
  @RequirePerson()
  @Answers(200, impactReportSchema)
  async ofChange(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ChangeRequestId,
  ): Promise<ImpactReportView> {
    return impactReportView(unwrap(await this.reading.ofChange(by, id)));
  }
}
