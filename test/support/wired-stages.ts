import type { ToolDispatcher } from '#lib/dispatch';
import { fakeChangeListener } from '../../libs/reach/change-request/src/application/fake-change-listener.js';
import { compiledPolicies } from '../../libs/rules/policy/src/fake-policy.js';
import { createCore, createStages } from '#lib/installation';
import type { AuditSink, JobQueue, Outbox } from '#lib/kernel';
import type { RunSettings } from '#lib/run';
import type { TestDatabase } from './database.js';
import { testKeys } from './seals.js';

/** Everything outside the stages, which a test plays itself. */
export interface AroundStages {
  readonly audit: AuditSink;
  readonly dispatcher: ToolDispatcher;
  readonly outbox?: Outbox;
  /** Without it no job is ever queued. */
  readonly jobs?: JobQueue;
  readonly settings?: Partial<RunSettings>;
}

/** The stages as an installation wires them, over a real database and real policies. */
export function wireStages(
  db: TestDatabase,
  { audit, dispatcher, outbox = silent, jobs = unheard, settings }: AroundStages,
) {
  const { uow, systemQuery: system } = db;
  const keys = testKeys();
  const core = createCore({
    ...{ uow, system, keys, audit, outbox },
    engine: compiledPolicies(),
    notifications: { subscribe: () => () => undefined },
    publicUrl: 'http://127.0.0.1',
    allowedPrivateHosts: [],
    offerMs: 1_000,
    changeListener: fakeChangeListener,
    impact: { lineOf: () => Promise.resolve({ line: null, pending: false }) },
    agentDisabled: [],
    sessions: { open: () => Promise.reject(new Error('no runner introduces itself')) },
    sealedElsewhere: [],
  });
  const stages = createStages({
    ...{ uow, jobs, keys, audit, outbox },
    core: { ...core, dispatch: { ...core.dispatch, dispatcher } },
    deliver: () => undefined,
    listeners: [],
    following: { begin: () => Promise.resolve(), end: () => Promise.resolve() },
    publicEvents: () => [],
    pastEvents: { read: () => Promise.resolve({ events: [], next: null }) },
    settings: { leaseMarginMs: 1_000, waitScale: 1, offerPausesMs: 30_000, ...settings },
  });
  return { ...stages, tool: core.tool, directory: core.directory };
}

const unheard: JobQueue = { enqueue: () => Promise.resolve() };
const silent: Outbox = { write: () => Promise.resolve() };
