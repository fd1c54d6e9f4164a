import { join } from 'node:path';
import { dataDirectory } from '#lib/database';
import { checkpointDestinationsFrom, type CheckpointDestinations } from '#lib/installation';

/** Unless the operator publishes them somewhere better, checkpoints are at least files that can be copied away. */
export function checkpointsOf(root: string): CheckpointDestinations {
  const destinations = checkpointDestinationsFrom(process.env);
  const checkpointDirectory =
    destinations.checkpointUrl === null
      ? (destinations.checkpointDirectory ?? join(dataDirectory(process.env, root), 'checkpoints'))
      : null;
  return { ...destinations, checkpointDirectory };
}
