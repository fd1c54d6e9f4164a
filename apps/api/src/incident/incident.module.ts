import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { Headlines } from '../plan/headlines.js';
import { stageModule } from '../stage-module.js';
import { BreakGlassController } from './break-glass.controller.js';
import { IncidentDestinationsController } from './incident-destinations.controller.js';
import { IncidentPagesController } from './incident-pages.controller.js';
import { IncidentSettingsController } from './incident-settings.controller.js';
import { IncidentsController } from './incidents.controller.js';

@Module({})
export class IncidentModule {
  static of({ identity, plan, incident }: Installation): DynamicModule {
    return stageModule(IncidentModule, {
      controllers: [
        BreakGlassController,
        IncidentsController,
        IncidentPagesController,
        IncidentSettingsController,
        IncidentDestinationsController,
      ],
      helpers: [GuardedAnswers, Headlines],
      uses: [
        identity.readRoles,
        plan.readHeadlines,
        incident.checkDestinations,
        incident.invokeBreakGlass,
        incident.breakGlassAvailability,
        incident.actOnIncident,
        incident.readIncidents,
        incident.changeIncidentSettings,
        incident.resendPages,
      ],
    });
  }
}
