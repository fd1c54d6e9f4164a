import { isAbsolute } from 'node:path';
import { DirectoryCheckpointPublisher, HttpsCheckpointPublisher } from '#lib/audit';
import { wrongSetting } from '#lib/kernel';
import { isBare } from './is-bare.js';
import { textSetting } from './text-setting.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The destinations of checkpoints: a directory, an HTTPS address, both or neither. */
export interface CheckpointDestinations {
  readonly checkpointDirectory: string | null;
  /** Whether the operator named that directory; false for the folder beside the data. */
  readonly checkpointsElsewhere: boolean;
  readonly checkpointUrl: string | null;
}

/**
 * Reads `COUNTERSIGN_CHECKPOINT_DIRECTORY` and `COUNTERSIGN_CHECKPOINT_URL`.
 *
 * @throws {FailureError} `start.wrong_setting`.
 */
export function checkpointDestinationsFrom(environment: Environment): CheckpointDestinations {
  const directory = textSetting(environment, 'COUNTERSIGN_CHECKPOINT_DIRECTORY');
  // Each process would look for checkpoints in a folder of its own, and find none.
  if (directory !== undefined && !isAbsolute(directory))
    throw wrongSetting('COUNTERSIGN_CHECKPOINT_DIRECTORY must be an absolute path.');
  return {
    checkpointDirectory: directory ?? null,
    checkpointsElsewhere: directory !== undefined,
    checkpointUrl: checkpointUrlOf(environment.COUNTERSIGN_CHECKPOINT_URL),
  };
}

/** The way to each of these destinations. */
export function openCheckpointDestinations({
  checkpointDirectory,
  checkpointsElsewhere,
  checkpointUrl,
}: CheckpointDestinations): readonly (DirectoryCheckpointPublisher | HttpsCheckpointPublisher)[] {
  return [
    ...(checkpointDirectory === null
      ? []
      : [new DirectoryCheckpointPublisher(checkpointDirectory, checkpointsElsewhere)]),
    ...(checkpointUrl === null ? [] : [new HttpsCheckpointPublisher({ url: checkpointUrl, fetch })]),
  ];
}

function checkpointUrlOf(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:' && isBare(url)) return text;
  throw wrongSetting('COUNTERSIGN_CHECKPOINT_URL must be an https address without user, query or fragment.');
}
