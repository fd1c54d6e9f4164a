import { digestOf, type Digest, type EnvironmentId } from '#lib/kernel';

/** An environment as a task, a plan and an approval depend on it. */
export interface EnvironmentRecord {
  readonly id: EnvironmentId;
  readonly name: string;
  readonly production: boolean;
  readonly version: number;
}

/** The digest of an environment that an approval binds. Another name, production flag or version gives another digest. */
export const environmentDigest = ({ id, name, production, version }: EnvironmentRecord): Digest =>
  digestOf('environment', { id, name, production, version });
