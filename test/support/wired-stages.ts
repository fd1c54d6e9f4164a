import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import { createDispatch, EXECUTOR_KINDS as executorKinds, type ToolDispatcher } from '#lib/dispatch';
import { fakeChangeListener } from '../../libs/reach/change-request/src/application/fake-change-listener.js';
import { createChangeRequests } from '#lib/change-request';
import { spellCarried } from '#lib/delivery';
import { createDirectory } from '#lib/identity';
import { createStages } from '#lib/installation';
import type { AuditSink, JobQueue, Outbox } from '#lib/kernel';
import { createMfa } from '#lib/mfa';
import { createPolicy, loadPolicyBundle, OpaWasmPolicyEngine } from '#lib/policy';
import type { RunSettings } from '#lib/run';
import { createTenancy } from '#lib/tenancy';
import { createTools } from '#lib/tool';
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

const PUBLIC_URL = 'http://127.0.0.1';

/** Compiling the policies takes as long as everything else. */
let engine: OpaWasmPolicyEngine | undefined;

/** The stages as an installation wires them, over a real database and real policies. */
export function wireStages(
  db: TestDatabase,
  { audit, dispatcher, outbox = silent, jobs = unheard, settings }: AroundStages,
) {
  const { uow, systemQuery: system } = db;
  const keys = testKeys();
  const { seals } = keys;
  engine ??= new OpaWasmPolicyEngine(loadPolicyBundle(join(packageRoot(), 'policies')));
  const policy = createPolicy({ uow, engine });
  const directory = createDirectory({ system, seals });
  const { twoPersonRule } = createChangeRequests({
    uow,
    seals,
    audit,
    outbox,
    directory,
    listener: fakeChangeListener,
    impact: { lineOf: () => Promise.resolve({ line: null, pending: false }) },
    publicUrl: PUBLIC_URL,
  });
  const { environments, vault } = createTenancy({ uow, keys, audit, twoPersonRule, elsewhere: [] });
  const { proofs } = createMfa({
    uow,
    system,
    keys,
    people: directory.people,
    twoPersonRule,
    audit,
    publicUrl: PUBLIC_URL,
  });
  const { issue } = createDispatch({
    uow,
    keys,
    vault,
    issuer: PUBLIC_URL,
    allowedPrivateHosts: [],
    slugOf: () => Promise.reject(new Error('no address is asked for')),
    executorKinds,
    runnerCalls: {
      reach: () => Promise.reject(new Error('no runner is asked for')),
      mcpServer: () => Promise.reject(new Error('no runner is asked for')),
      carryOut: () => Promise.reject(new Error('no runner is asked for')),
      standing: () => Promise.reject(new Error('no runner is asked for')),
    },
  });
  const tool = createTools({
    uow,
    twoPersonRule,
    audit,
    addresses: { rulesOf: () => Promise.resolve(() => 'allowed') },
    executorKinds,
  });
  const stages = createStages({
    uow,
    jobs,
    seals,
    texts: keys.texts,
    wrapping: keys.wrapping,
    audit,
    outbox,
    carry: spellCarried,
    twoPersonRule,
    directory,
    mintCredential: { execute: () => Promise.reject(new Error('no automation is enabled')) },
    environments,
    proofs,
    policy,
    tool,
    dispatch: {
      dispatcher,
      keptAnswers: { of: () => Promise.resolve(null) },
      issue,
      revoker: { revoke: () => Promise.resolve(0) },
    },
    executorKinds,
    noWayBack: () => Promise.resolve(null),
    definitions: { execute: () => Promise.resolve(null) },
    listeners: [],
    following: { begin: () => Promise.resolve(), end: () => Promise.resolve() },
    publicEvents: () => [],
    pastEvents: { read: () => Promise.resolve({ events: [], next: null }) },
    settings: { leaseMarginMs: 1_000, waitScale: 1, runnerPausesMs: 30_000, ...settings },
  });
  return { ...stages, tool, directory };
}

const unheard: JobQueue = { enqueue: () => Promise.resolve() };
const silent: Outbox = { write: () => Promise.resolve() };
