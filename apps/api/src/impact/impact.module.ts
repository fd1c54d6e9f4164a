import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { CheckConfiguration } from '../configuration/check-configuration.js';
import { PutDocuments } from '../configuration/put-documents.js';
import { stageModule } from '../stage-module.js';
import { ImpactController } from './impact.controller.js';

@Module({})
export class ImpactModule {
  static of({ impact, tenancy, tool, autonomy }: Installation): DynamicModule {
    return stageModule(ImpactModule, {
      controllers: [ImpactController],
      helpers: [CheckConfiguration, PutDocuments],
      uses: [
        impact.askImpact,
        impact.readImpact,
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
