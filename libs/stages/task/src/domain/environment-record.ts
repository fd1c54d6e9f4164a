import { digestOf, type Digest, type EnvironmentId } from '#lib/kernel';

/** An environment as a task, a plan and an approval depend on it. */
export interface EnvironmentRecord {
  readonly id: EnvironmentId;
  readonly name: string;
  readonly production: boolean;
  readonly version: number;
}

/** What an approval binds of an environment: changing its name, its production flag or anything else is another digest. */
export const environmentDigest = ({ id, name, production, version }: EnvironmentRecord): Digest =>
  digestOf('environment', { id, name, production, version });
