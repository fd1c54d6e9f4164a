import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { CheckConfiguration } from './check-configuration.js';
import { ConfigurationController } from './configuration.controller.js';
import { PutDocuments } from './put-documents.js';
import { WriteConfiguration } from './write-configuration.js';

@Module({})
export class ConfigurationModule {
  static of({ tenancy, tool, autonomy }: Installation): DynamicModule {
    return stageModule(ConfigurationModule, {
      controllers: [ConfigurationController],
      helpers: [CheckConfiguration, PutDocuments, WriteConfiguration],
      uses: [
        tenancy.listEnvironments,
        tenancy.createEnvironment,
        tenancy.changeEnvironment,
        tool.changeCatalog,
        tool.putExecutor,
        tool.readRegistry,
        autonomy.putAutonomy,
      ],
    });
  }
}
