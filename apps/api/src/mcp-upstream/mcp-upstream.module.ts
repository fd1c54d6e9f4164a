import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { McpServersController } from './mcp-servers.controller.js';

@Module({})
export class McpUpstreamModule {
  static of({ mcpUpstream, identity, changes }: Installation): DynamicModule {
    const { readServers, lookAtServer, acceptDefinition } = mcpUpstream;
    return stageModule(McpUpstreamModule, {
      controllers: [McpServersController],
      helpers: [GuardedAnswers],
      uses: [readServers, lookAtServer, acceptDefinition, identity.readRoles, changes.readChanges],
    });
  }
}
