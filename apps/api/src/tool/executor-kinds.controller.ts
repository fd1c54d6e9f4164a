import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { executorKindListSchema } from '#lib/api-schemas';
import { ReadRegistry } from '#lib/tool';
import { Answers, RequireScope, Summary } from '../http/index.js';
import { executorKindView } from './views.js';

@ApiTags('Executors')
@Controller('v1/executor-kinds')
export class ExecutorKindsController {
  constructor(private readonly reading: ReadRegistry) {}

  @Summary('The kinds that an executor can be of, and the settings of each.')
  @Get()
  @RequireScope('read')
  @Answers(200, executorKindListSchema)
  list(): z.infer<typeof executorKindListSchema> {
    return { items: this.reading.kinds.map(executorKindView) };
  }
}
