import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { findingListSchema, findQuerySchema } from '#lib/api-schemas';
import type { PersonPrincipal } from '#lib/kernel';
import { FindAnything } from '#lib/report';
import { Answers, CurrentPerson, RequirePerson, RequireScope, Summary } from '../http/index.js';

@ApiTags('Search')
@Controller('v1/search')
export class SearchController {
  constructor(private readonly finding: FindAnything) {}

  @Summary('Finds people, agents, tools and work of every kind by a word, a name or a part of an id.')
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, findingListSchema)
  async find(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: findQuerySchema }) query: z.infer<typeof findQuerySchema>,
  ): Promise<z.infer<typeof findingListSchema>> {
    return { items: [...(await this.finding.execute(by.tenantId, query.text, query.limit))] };
  }
}
