import { Module } from '@nestjs/common';
import { EnvironmentsController } from './environments.controller.js';
import { SecretsController } from './secrets.controller.js';

@Module({ controllers: [EnvironmentsController, SecretsController] })
export class TenancyApiModule {}
