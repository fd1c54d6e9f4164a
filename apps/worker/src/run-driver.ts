import type { RunId, TenantId } from '#lib/kernel';
import type { Again } from '#lib/run';
import { continueTrace, inSpan, traced, tracing } from '#lib/tracing';

/** Advances one run: by one thing, or for as long as it is told to go on after an answer. */
export interface RunAdvancer {
  execute(tenantId: TenantId, runId: RunId, goesOn: () => boolean): Promise<Again>;
}

/** Finds the trace that a run is part of; null if there is none. */
export type TraceOf = (tenantId: TenantId, runId: RunId) => Promise<string | null>;

/** Advances a run while it has something to do at once and no other run waits for a turn. */
export class RunDriver {
  constructor(
    private readonly advancer: RunAdvancer,
    private readonly traceOf: TraceOf,
  ) {}

  /** @returns 0 if there is more to do now, when others had their turn. Null if the run's row alone says when. */
  async execute(tenantId: TenantId, runId: RunId, turn: { readonly over: boolean }): Promise<number | null> {
    const again = await this.advance(tenantId, runId, turn);
    return again.when === 'now' ? 0 : null;
  }

  /** The same for a caller that plans the next turn itself. */
  advance(tenantId: TenantId, runId: RunId, turn: { readonly over: boolean }): Promise<Again> {
    return this.#traced(tenantId, runId, () => this.#drive(tenantId, runId, turn));
  }

  async #traced(tenantId: TenantId, runId: RunId, drive: () => Promise<Again>): Promise<Again> {
    const facts = { 'countersign.run_id': runId, 'countersign.tenant_id': tenantId };
    // A run that a hint named goes on in the hint's trace. A run that a look found goes on in the trace it was made in.
    if (tracing()) return inSpan('drive run', 'part', facts, drive);
    if (!traced()) return drive();
    const parent = await this.traceOf(tenantId, runId).catch(() => null);
    return parent === null ? drive() : continueTrace('drive run', parent, facts, drive);
  }

  async #drive(tenantId: TenantId, runId: RunId, turn: { readonly over: boolean }): Promise<Again> {
    let again: Again;
    do again = await this.advancer.execute(tenantId, runId, () => !turn.over);
    while (again.when === 'now' && !turn.over);
    return again;
  }
}
