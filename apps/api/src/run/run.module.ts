import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { RunEventStreams } from './run-event-streams.js';
import { RunsController } from './runs.controller.js';

@Module({})
export class RunModule {
  static of({ autonomy, run }: Installation): DynamicModule {
    return stageModule(RunModule, {
      controllers: [RunsController],
      helpers: [RunEventStreams],
      uses: [
        autonomy.locateAutonomyLine,
        run.start,
        run.control,
        run.resume,
        run.resolve,
        run.read,
        run.work,
        run.report,
      ],
    });
  }
}
