import { Module } from '@nestjs/common';
import { AutonomyController } from './autonomy.controller.js';

@Module({ controllers: [AutonomyController] })
export class AutonomyApiModule {}
