import { Module } from '@nestjs/common';
import { BreakGlassController } from './break-glass.controller.js';
import { IncidentDestinationsController } from './incident-destinations.controller.js';
import { IncidentPagesController } from './incident-pages.controller.js';
import { IncidentSettingsController } from './incident-settings.controller.js';
import { IncidentsController } from './incidents.controller.js';

@Module({
  controllers: [
    BreakGlassController,
    IncidentsController,
    IncidentPagesController,
    IncidentSettingsController,
    IncidentDestinationsController,
  ],
})
export class IncidentApiModule {}
