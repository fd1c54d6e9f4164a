import { createOnDuty } from '#lib/delivery';
import { clockedWorld } from '../../../../../test/support/clocked-world.js';
import { testKeys } from '../../../../../test/support/seals.js';
import { describeSlackInstallations } from '../application/slack-installations.contract.js';
import { TypeormSlackInstallations } from './typeorm-slack-installations.js';

describeSlackInstallations('TypeormSlackInstallations', async () => {
  const world = await clockedWorld();
  const installations = new TypeormSlackInstallations(world.systemQuery, testKeys().wrapping, createOnDuty());
  return { world, installations };
});
