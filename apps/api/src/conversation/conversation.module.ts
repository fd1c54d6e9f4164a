import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { Headlines } from '../plan/headlines.js';
import { stageModule } from '../stage-module.js';
import { CommentsController } from './comments.controller.js';

@Module({})
export class ConversationModule {
  static of({ plan, conversation }: Installation): DynamicModule {
    return stageModule(ConversationModule, {
      controllers: [CommentsController],
      helpers: [Headlines],
      uses: [plan.readHeadlines, conversation.addComment, conversation.readComments],
    });
  }
}
