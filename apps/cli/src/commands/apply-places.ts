import { z } from 'zod';
import {
  environmentChangeSchema,
  executorDocumentSchema,
  type ChangeRequestView,
  type ExecutorDocument,
  type ExecutorView,
} from '#lib/contracts';
import { isWaiting, type CountersignClient } from '#lib/sdk';
import { pointerOf, readDocument, withPlaces } from '../documents.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Io } from '../io.js';
import { environmentsByName } from './environments.js';

const environmentsFile = z.strictObject({ environments: z.record(z.string(), environmentChangeSchema) });
const executorsFile = z.strictObject({
  executors: z.record(z.string(), z.record(z.string(), executorDocumentSchema)),
});

/** What a file changes of an environment, or of an executor in one. What it leaves out stays as it is. */
export interface PlaceChange {
  readonly change: 'create' | 'update' | 'unchanged';
  readonly name: string;
  readonly what: string;
  /** The change, where it waits for a second person. */
  readonly waits?: ChangeRequestView;
}

/** How a file is applied. */
export interface Applying {
  readonly api: CountersignClient;
  readonly io: Io;
  readonly dryRun: boolean;
}

/** `environments: {<name>: {production: true}}`. */
export async function applyEnvironments(file: string, { api, io, dryRun }: Applying): Promise<PlaceChange[]> {
  const { wanted, within } = await readAs(environmentsFile, file, io);
  const standing = await environmentsByName(api);
  const changes: PlaceChange[] = [];
  for (const [name, { production }] of Object.entries(wanted.environments)) {
    const before = standing.get(name);
    const change = before === undefined ? 'create' : before.production === production ? 'unchanged' : 'update';
    const at = ['environments', name];
    if (!dryRun && before === undefined) await within(api.environments.create({ name, production }), at);
    const answer =
      !dryRun && before !== undefined && change === 'update'
        ? await within(api.environments.change(before.id, before.version, { production }), at)
        : null;
    const loosened = change === 'update' && !production;
    const what = production ? 'production' : `not production${loosened ? ': LOOSENS' : ''}`;
    changes.push({ change, name, what, ...waitsOf(answer) });
  }
  return changes;
}

/**
 * `executors: {<environment>: {<name>: {kind, url, audience, shared_audience, secret}}}`.
 *
 * @param created environments that a dry run would only create.
 */
export async function applyExecutors(
  file: string,
  { api, io, dryRun }: Applying,
  created: ReadonlySet<string>,
): Promise<PlaceChange[]> {
  const { wanted, within } = await readAs(executorsFile, file, io);
  const changes: PlaceChange[] = [];
  for (const [environment, executors] of Object.entries(wanted.executors)) {
    const absent = dryRun && created.has(environment);
    const standing = absent
      ? []
      : (await within(api.executors.list(environment), ['executors', environment])).executors;
    for (const [name, document] of Object.entries(executors)) {
      const before = standing.find((executor) => executor.name === name);
      const change = before === undefined ? 'create' : isAsPut(before, document) ? 'unchanged' : 'update';
      const answer =
        !dryRun && change !== 'unchanged'
          ? await within(api.executors.put(environment, name, document), ['executors', environment, name])
          : null;
      const what = document.url ?? document.kind;
      changes.push({ change, name: `${environment}/${name}`, what, ...waitsOf(answer) });
    }
  }
  return changes;
}

const waitsOf = (answer: object | null): { readonly waits?: ChangeRequestView } =>
  answer !== null && isWaiting(answer) ? { waits: answer } : {};

/** Whether putting it again would change nothing. */
function isAsPut(executor: ExecutorView, document: ExecutorDocument): boolean {
  const { kind, url, audience, shared_audience: shared, secret } = document;
  const address = url !== undefined && URL.canParse(url) ? new URL(url) : null;
  return (
    executor.kind === kind &&
    executor.url === (address?.href ?? null) &&
    executor.audience === (audience ?? `${executor.name}.${executor.environment}`) &&
    executor.shared_audience === (shared ?? false) &&
    executor.secret === (secret ?? null)
  );
}

interface Read<T> {
  readonly wanted: T;
  /** A refusal of this says where in the file: what is refused is the value at this path there. */
  readonly within: <Answer>(work: Promise<Answer>, path: readonly string[]) => Promise<Answer>;
}

/** @throws {CommandError} with line and column of what is wrong. */
async function readAs<T>(schema: z.ZodType<T>, file: string, io: Io): Promise<Read<T>> {
  const document = await readDocument(file, io);
  const read = schema.safeParse(document.value);
  if (read.success) return { wanted: read.data, within: (work, path) => withPlaces(document, work, path) };
  const details = read.error.issues.map(({ path, message }) => {
    const pointer = pointerOf(path);
    const { line, column } = document.placeOf(pointer);
    return `line ${String(line)}, column ${String(column)}: ${message}`;
  });
  throw new CommandError(
    EXIT.usage,
    `${file} does not say what it should.`,
    'Correct what is listed.',
    details,
    'document.invalid',
  );
}
