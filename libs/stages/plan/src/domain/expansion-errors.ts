import type { FieldError } from '#lib/kernel';

/** Most mistakes that one answer lists. */
const MAX_PLAN_ERRORS = 100;

/** Collects the mistakes of a plan: each once, however many calls it would have come to. */
export class ExpansionErrors {
  readonly #errors = new Map<string, FieldError>();

  add(
    pointer: string,
    code: string,
    message: string,
    more: Pick<FieldError, 'suggestion' | 'line' | 'column'> = {},
  ): void {
    this.take({ pointer, code, message, ...more });
  }

  take(error: FieldError): void {
    const key = `${error.code} ${error.pointer}`;
    if (this.#errors.size < MAX_PLAN_ERRORS && !this.#errors.has(key)) this.#errors.set(key, error);
  }

  get list(): readonly FieldError[] {
    return [...this.#errors.values()];
  }

  get none(): boolean {
    return this.#errors.size === 0;
  }
}
