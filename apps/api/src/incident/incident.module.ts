import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { BreakGlassController } from './break-glass.controller.js';
import { IncidentDestinationsController } from './incident-destinations.controller.js';
import { IncidentPagesController } from './incident-pages.controller.js';
import { IncidentSettingsController } from './incident-settings.controller.js';
import { IncidentsController } from './incidents.controller.js';

@Module({})
export class IncidentModule {
  static of({ identity, incident }: Installation): DynamicModule {
    return stageModule(IncidentModule, {
      controllers: [
        BreakGlassController,
        IncidentsController,
        IncidentPagesController,
        IncidentSettingsController,
        IncidentDestinationsController,
      ],
      helpers: [GuardedAnswers],
      uses: [
        identity.readRoles,
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
