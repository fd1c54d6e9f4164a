import { Counter, Histogram } from 'prom-client';
import type { Metrics } from '#lib/operation';

/** The metrics of a router: by cell, never by tenant. */
export class RouterMetrics {
  readonly #seconds: Histogram<'cell' | 'status'>;
  readonly #down: Counter<'cell'>;

  constructor({ registry }: Pick<Metrics, 'registry'>) {
    this.#seconds = new Histogram({
      name: 'countersign_router_request_seconds',
      help: 'Duration of requests through the router, by the cell that answered and by status',
      labelNames: ['cell', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    });
    this.#down = new Counter({
      name: 'countersign_router_cell_unavailable_total',
      help: 'Requests that their cell did not answer, by cell',
      labelNames: ['cell'],
      registers: [registry],
    });
  }

  answered(cell: string, status: number, seconds: number): void {
    this.#seconds.observe({ cell, status: String(status) }, seconds);
  }

  cellDown(cell: string): void {
    this.#down.inc({ cell });
  }
}
