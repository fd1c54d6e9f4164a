import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { CommentsController } from './comments.controller.js';

@Module({})
export class ConversationModule {
  static of({ conversation }: Installation): DynamicModule {
    return stageModule(ConversationModule, {
      controllers: [CommentsController],
      uses: [conversation.addComment, conversation.readComments],
    });
  }
}
