import { Global, Module } from '@nestjs/common';
import { ChangesController } from './changes.controller.js';
import { GuardedAnswers } from './guarded-answers.js';

/** Changes that wait, and the answers of the routes whose changes may. */
@Global()
@Module({ controllers: [ChangesController], providers: [GuardedAnswers], exports: [GuardedAnswers] })
export class GuardrailApiModule {}
