import type { DynamicModule, Type } from '@nestjs/common';
import type { Database } from '#lib/database';
import type { RequestBudget } from '#lib/identity';
import type { BrowserSessions } from './http/browser-sessions.js';
import type { Callers } from './http/callers.js';
import type { FailedAttempts } from './http/failed-attempts.js';
import type { EventStreams } from './live/event-streams.js';
import type { OpenStreams } from './live/open-streams.js';

/** The providers that the HTTP module and the module of live events give to every other module. */
type Everywhere = Database | RequestBudget | Callers | BrowserSessions | FailedAttempts | EventStreams | OpenStreams;

type Needed<Class> = Class extends new (...parts: infer Parts) => unknown ? Parts[number] : never;

/** The providers that are needed and not given, or given and not needed; `never` if a module is complete. */
type Unmatched<Class extends Type, Helper extends Type, Given> =
  | Exclude<Needed<Class | Helper>, Given | InstanceType<Helper> | Everywhere>
  | Exclude<Given, Needed<Class | Helper>>;

/**
 * A module of controllers and their dependencies, which it shares with no other module. A use case that is missing,
 * or that none of them takes, does not compile.
 *
 * @param parts.helpers classes of the API itself, made by Nest.
 * @param parts.uses objects that the installation made; each is asked for by its class.
 */
export function stageModule<Controller extends Type, Given extends object, Helper extends Type = never>(
  module: Type,
  parts: {
    readonly controllers: readonly Controller[];
    readonly helpers?: readonly Helper[];
    readonly uses: readonly Given[];
  },
  ..._unmatched: [Unmatched<Controller, Helper, Given>] extends [never]
    ? []
    : [unmatched: Unmatched<Controller, Helper, Given>]
): DynamicModule {
  return {
    module,
    controllers: [...parts.controllers],
    providers: [...(parts.helpers ?? []), ...useCases(parts.uses)],
  };
}

/** Objects that are asked for by their class. */
export const useCases = (made: readonly object[]): NonNullable<DynamicModule['providers']> =>
  made.map((one) => ({ provide: one.constructor, useValue: one }));
