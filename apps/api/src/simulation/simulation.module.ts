import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { SimulationsController } from './simulations.controller.js';

@Module({})
export class SimulationModule {
  static of({ autonomy, simulation }: Installation): DynamicModule {
    return stageModule(SimulationModule, {
      controllers: [SimulationsController],
      uses: [
        autonomy.locateAutonomyLine,
        simulation.startSimulation,
        simulation.getSimulation,
        simulation.listSimulations,
        simulation.readAccuracy,
      ],
    });
  }
}
