import { Module } from '@nestjs/common';
import { CheckConfiguration } from './check-configuration.js';
import { ConfigurationController } from './configuration.controller.js';
import { PutPlaces } from './put-places.js';
import { WriteConfiguration } from './write-configuration.js';

@Module({
  controllers: [ConfigurationController],
  providers: [CheckConfiguration, PutPlaces, WriteConfiguration],
})
export class ConfigurationApiModule {}
