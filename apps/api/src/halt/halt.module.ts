import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { HaltsController } from './halts.controller.js';

@Module({})
export class HaltModule {
  static of({ halt }: Installation): DynamicModule {
    return stageModule(HaltModule, {
      controllers: [HaltsController],
      uses: [halt.setHalt, halt.liftHalt, halt.readHalts],
    });
  }
}
