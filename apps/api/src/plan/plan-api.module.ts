import { Global, Module } from '@nestjs/common';
import { Headlines } from './headlines.js';
import { PlansController } from './plans.controller.js';

@Global()
@Module({ controllers: [PlansController], providers: [Headlines], exports: [Headlines] })
export class PlanApiModule {}
