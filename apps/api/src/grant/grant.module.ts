import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { GrantController } from './grant.controller.js';

@Module({})
export class GrantModule {
  static of({ dispatch }: Installation): DynamicModule {
    return stageModule(GrantModule, {
      controllers: [GrantController],
      uses: [dispatch.redeem, dispatch.keys],
    });
  }
}
