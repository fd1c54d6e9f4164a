import { createOnDuty } from '#lib/delivery';
import { clockedWorlds } from '../../../../../test/support/clocked-world.js';
import { testKeys } from '../../../../../test/support/seals.js';
import { describeSlackInstallations } from '../application/slack-installations.contract.js';
import { TypeormSlackInstallations } from './typeorm-slack-installations.js';

const open = clockedWorlds();

describeSlackInstallations('TypeormSlackInstallations', async () => {
  const world = await open();
  const installations = new TypeormSlackInstallations(world.systemQuery, testKeys().wrapping, createOnDuty());
  // No two tenants have one app in one workspace.
  const close = async (): Promise<void> => {
    await world.db.owner.query('delete from slack_installation');
  };
  return { world: { ...world, close }, installations };
});
