import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CountReviewers } from '#lib/approval';
import { setUpSchema, type SetUpView } from '#lib/api-schemas';
import { PLATFORM_ADMIN } from '#lib/formats';
import type { PersonPrincipal } from '#lib/kernel';
import { ReadSetUp, type ShortagesOfAgent } from '#lib/report';
import { Answers, CurrentPerson, RequireRole, RequireScope, Summary, unwrap } from '../http/index.js';

@ApiTags('Reports')
@Controller('v1/set-up')
export class SetUpController {
  constructor(
    private readonly setUp: ReadSetUp,
    private readonly counting: CountReviewers,
  ) {}

  @Summary('The steps that a new tenant needs before a change can be approved and executed, each with its state.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, setUpSchema)
  get(@CurrentPerson() by: PersonPrincipal): Promise<SetUpView> {
    return this.setUp.execute(by, this.#shortagesOf);
  }

  readonly #shortagesOf: ShortagesOfAgent = async (by, agent) => {
    const counted = unwrap(await this.counting.ofAgent(by, agent));
    return counted.length === 0 ? null : counted.flatMap(({ warning }) => warning ?? []);
  };
}
