import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { EmbedderController } from './embedder.controller.js';

@Module({})
export class EmbedderModule {
  static of({ embedder, identity }: Installation): DynamicModule {
    return stageModule(EmbedderModule, {
      controllers: [EmbedderController],
      helpers: [GuardedAnswers],
      uses: [
        embedder.connection.read,
        embedder.connection.change,
        embedder.connection.remove,
        embedder.connection.setToken,
        embedder.testEmbedder,
        embedder.readWork,
        identity.readRoles,
      ],
    });
  }
}
