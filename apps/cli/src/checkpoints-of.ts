import { join } from 'node:path';
import { dataDirectory } from '#lib/database';
import { checkpointPlacesFrom, type CheckpointPlaces } from '#lib/installation';

/** Unless the operator publishes them somewhere better, checkpoints are at least files that can be copied away. */
export function checkpointsOf(root: string): CheckpointPlaces {
  const places = checkpointPlacesFrom(process.env);
  const checkpointDirectory =
    places.checkpointUrl === null
      ? (places.checkpointDirectory ?? join(dataDirectory(process.env, root), 'checkpoints'))
      : null;
  return { ...places, checkpointDirectory };
}
