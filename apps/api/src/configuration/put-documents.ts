import { Injectable } from '@nestjs/common';
import type { ConfigurationChange } from '#lib/api-schemas';
import type { EnvironmentsDocument, ExecutorsDocument } from '#lib/formats';
import { FailureError, fail, type FieldError, type Guarded, type PersonPrincipal, type Result } from '#lib/kernel';
import { ChangeEnvironment, CreateEnvironment, ListEnvironments, type Environment } from '#lib/tenancy';
import { destinationAsPut, escapePointer, isAsPut, PutExecutor, ReadRegistry } from '#lib/tool';
import { closest } from '#lib/words';
import { changeRequestView } from '../change-request/change-views.js';
import { ALONE } from '../change-request/guarded-answers.js';
import { unwrap } from '../http/index.js';
import { ALL_ENVIRONMENTS } from './document-kinds.js';

/**
 * Brings environments and executors to the state of a document, one after another, each by its own use case. A refusal names
 * the environment or executor, points into the document, and lists the changes before it as `done`.
 */
@Injectable()
export class PutDocuments {
  constructor(
    private readonly listing: ListEnvironments,
    private readonly creating: CreateEnvironment,
    private readonly changing: ChangeEnvironment,
    private readonly registry: ReadRegistry,
    private readonly putting: PutExecutor,
  ) {}

  async environments(by: PersonPrincipal, { environments }: EnvironmentsDocument): Promise<ConfigurationChange[]> {
    const standing = await this.#standing(by);
    const changes: ConfigurationChange[] = [];
    for (const [name, { production }] of Object.entries(environments)) {
      const before = standing.get(name);
      const what = production ? 'production' : 'not production';
      const within = { path: ['environments', name], name, changes };
      if (before === undefined) {
        located(await this.creating.execute(by, { name, production }), within);
        changes.push({ change: 'create', name, what });
      } else if (before.production === production) {
        changes.push({ change: 'unchanged', name, what });
      } else {
        const changed = located(await this.changing.execute(by, before.id, production, ANY_VERSION), within);
        changes.push({ change: 'update', name, what, ...outcomeOf(changed) });
      }
    }
    return changes;
  }

  async executors(by: PersonPrincipal, { executors }: ExecutorsDocument): Promise<ConfigurationChange[]> {
    const environments = [...(await this.#standing(by)).keys()];
    const unknown = Object.keys(executors).filter((environment) => !environments.includes(environment));
    if (unknown.length > 0) fail(noSuchEnvironment(unknown, environments));
    const changes: ConfigurationChange[] = [];
    for (const [environment, documents] of Object.entries(executors)) {
      const standing = unwrap(await this.registry.executorsOf(by, environment));
      for (const [name, document] of Object.entries(documents)) {
        const before = standing.find(({ executor }) => executor.name === name);
        const named = { name: `${environment}/${name}`, what: destinationAsPut(this.registry.kinds, document) };
        if (before !== undefined && isAsPut(this.registry.kinds, document, { name, environment }, before.executor)) {
          changes.push({ change: 'unchanged', ...named });
          continue;
        }
        const within = { path: ['executors', environment, name], name: named.name, changes };
        const put = located(await this.putting.execute(by, environment, name, document), within);
        changes.push({
          change: before === undefined ? 'create' : 'update',
          ...named,
          ...outcomeOf(put),
        });
      }
    }
    return changes;
  }

  async #standing(by: PersonPrincipal): Promise<Map<string, Environment>> {
    const all = await this.listing.execute(by.tenantId, ALL_ENVIRONMENTS);
    return new Map(all.map((environment) => [environment.name, environment]));
  }
}

function outcomeOf(guarded: Guarded<unknown>): Pick<ConfigurationChange, 'waits' | 'guarded' | 'guardrail_warning'> {
  if (guarded.outcome === 'waits') return { waits: changeRequestView(guarded) };
  return guarded.alone ? ALONE : {};
}

/** A document replaces any version of an environment. */
const ANY_VERSION = (): void => undefined;

interface Within {
  readonly path: readonly string[];
  readonly name: string;
  /** The changes that were carried out by then. */
  readonly changes: readonly ConfigurationChange[];
}

function located<T>(result: Result<T>, { path, name, changes }: Within): T {
  if (result.ok) return result.value;
  const { error } = result;
  const around = pointerTo(path);
  const message = `${name}: ${error.message}`;
  // A refusal as a whole stands at the name that it is about.
  const wrongs: readonly FieldError[] = error.errors ?? [{ pointer: '', code: error.code, message }];
  const done = changes.filter(({ change }) => change !== 'unchanged');
  throw new FailureError({
    ...error,
    message,
    errors: wrongs.map((wrong) => ({ ...wrong, pointer: `${around}${wrong.pointer}` })),
    details: { ...error.details, done },
  });
}

const noSuchEnvironment = (unknown: readonly string[], environments: readonly string[]) =>
  ({
    kind: 'unprocessable',
    code: 'executor.unknown_environment',
    message: `There is no environment ${unknown.join(', ')}.`,
    action: 'Add the environment first, or correct its name.',
    errors: unknown.map((name) => {
      const meant = closest(name, environments);
      return {
        pointer: pointerTo(['executors', name]),
        code: 'executor.unknown_environment',
        message: `There is no environment ${JSON.stringify(name)}.`,
        ...(meant === undefined ? {} : { suggestion: meant }),
      };
    }),
  }) as const;

const pointerTo = (path: readonly string[]): string => path.map((part) => `/${escapePointer(part)}`).join('');
