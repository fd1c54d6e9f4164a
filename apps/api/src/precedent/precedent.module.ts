import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { PrecedentsController } from './precedents.controller.js';

@Module({})
export class PrecedentModule {
  static of({ precedent }: Installation): DynamicModule {
    return stageModule(PrecedentModule, { controllers: [PrecedentsController], uses: [precedent.findPrecedents] });
  }
}
