import type { components } from './api.js';
import { retryAfterOf } from './is-passing.js';
import { isObject } from './run-event.js';

type Schemas = components['schemas'];

/** A refusal as a client has it: the problem document, with the seconds of Retry-After. */
export type Problem = Schemas['Problem'] & { readonly retry_after_seconds?: number };

/**
 * The refusal in an answer; null if another program gave it, such as a proxy. The schema of the API says the same, in code that no
 * page can hold; `test/architecture` compares the two.
 */
export const problemIn = (document: unknown, headers: Headers): Problem | null =>
  isProblem(document) ? { ...document, ...retryAfterOf(headers) } : null;

type Check = (value: unknown) => boolean;

/** The members that a document names, without those that it may hold beside them. */
type Named<T> = { readonly [K in keyof T as string extends K ? never : K]-?: Check };

/** A document whose every named member is checked. */
const documentWith =
  <T>(members: Named<T>) =>
  (value: unknown): value is T =>
    isObject(value) && Object.entries<Check>(members).every(([name, holds]) => holds(value[name]));

const text: Check = (value) => typeof value === 'string';
const whole: Check = (value) => Number.isSafeInteger(value);
const moment: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const listOf =
  (holds: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(holds);
const optional =
  (holds: Check): Check =>
  (value) =>
    value === undefined || holds(value);

type Listed<T> = NonNullable<T> extends readonly (infer Item)[] ? Item : never;
type ReasonOf = Listed<Problem['reasons']>;

const isProblem = documentWith<Schemas['Problem']>({
  type: text,
  title: text,
  status: whole,
  detail: text,
  code: text,
  instance: text,
  action: optional(text),
  details: optional(
    documentWith<Schemas['ProblemDetails']>({
      route: optional(text),
      what: optional(text),
      loosens: optional(listOf(text)),
      plans: optional(listOf(text)),
      tool_call_id: optional(text),
      done: optional(
        listOf(
          documentWith<Schemas['ConfigurationChange']>({
            change: oneOf('create', 'update', 'unchanged'),
            name: text,
            what: text,
            // Its other members are as its description promises, as in any answer.
            waits: optional(documentWith<Pick<Schemas['ChangeRequest'], 'id' | 'what'>>({ id: text, what: text })),
            guarded: optional(oneOf(false)),
            guardrail_warning: optional(text),
            role_warnings: optional(listOf(text)),
          }),
        ),
      ),
    }),
  ),
  errors: optional(
    listOf(
      documentWith<Listed<Problem['errors']>>({
        pointer: text,
        code: text,
        message: text,
        line: optional(whole),
        column: optional(whole),
        suggestion: optional(text),
      }),
    ),
  ),
  reasons: optional(
    listOf(
      documentWith<ReasonOf>({
        code: text,
        message: text,
        rule: text,
        details: optional(documentWith<NonNullable<ReasonOf['details']>>({ until: moment })),
      }),
    ),
  ),
});
