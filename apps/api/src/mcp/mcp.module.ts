import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { McpAddresses } from './mcp-addresses.js';
import { McpProblemFilter } from './mcp-problem.filter.js';
import { McpController } from './mcp.controller.js';
import { ProtectedResourceController } from './protected-resource.controller.js';

@Module({})
export class McpModule {
  /** @param publicUrl where clients reach Countersign. */
  static of({ signIn }: Installation, publicUrl: string): DynamicModule {
    return stageModule(McpModule, {
      controllers: [McpController, ProtectedResourceController],
      helpers: [McpProblemFilter],
      uses: [signIn.findTenant, signIn.readSignInSettings, signIn.addresses, new McpAddresses(publicUrl)],
    });
  }
}
