/**
 * The common part of api and worker: one configuration that every process of an installation agrees on, and `compose`.
 * `compose` wires every library to the others once. `createCore` and `createStages` are the parts of it that the
 * tests' worlds call, too.
 *
 * Holds no rule and no state. A stage that offers a port to an earlier one is connected to it here, and nowhere else.
 */
export {
  checkpointDestinationsFrom,
  openCheckpointDestinations,
  type CheckpointDestinations,
} from './checkpoint-destinations.js';
export { compose, type Installation } from './compose.js';
export { createCore } from './create-core.js';
export { createStages, type Stages } from './create-stages.js';
export { ENTITIES } from './entities.js';
export { integerSetting } from './integer-setting.js';
export { installationConfigFrom, type InstallationConfig } from './installation-config.js';
export { notedEvidence } from './noted-evidence.js';
export { OLD_ROWS } from './old-rows.js';
export { textSetting } from './text-setting.js';
