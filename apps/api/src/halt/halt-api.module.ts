import { Module } from '@nestjs/common';
import { HaltsController } from './halts.controller.js';

@Module({ controllers: [HaltsController] })
export class HaltApiModule {}
