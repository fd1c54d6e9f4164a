import type { Failure } from '#lib/kernel';

/** @param name as people read it: `SIEM collector`. A tenant has one or none, so that no id could be wrong. */
export const noConnection = (name: string): Failure => ({
  kind: 'not_found',
  code: 'resource.not_found',
  message: `No ${name} is set.`,
  action: 'A PlatformAdmin sets one under Settings, or on the command line.',
});
