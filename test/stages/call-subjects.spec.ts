import type { ToolDocument } from '#lib/formats';
import type { CallSubject } from '#lib/approval';
import type { ToolCallId, Tx } from '#lib/kernel';
import type { ExecutorRecord } from '#lib/tool';
import {
  describeCallSubjects,
  type CallStore,
} from '../../libs/stages/approval/src/application/call-subjects.contract.js';
import { definitionText, sampleExecutor, sampleTool } from '../../libs/registry/tool/src/application/fake-tool.js';
import { postgresStores } from '../support/approval-store.js';
import { somebodyWaits, type TestDatabase } from '../support/database.js';
import { wireStages } from '../support/wired-stages.js';

/** The tool of the calls that the store keeps. */
const SHELL: Partial<ToolDocument> = {
  risk: 'state_change_nonprod',
  effect: 'modify',
  surface: 'terminal',
  requires_plan: false,
  simulation: 'not_applicable',
  shell: { argument: '/line', shell: 'bash' },
  parameters: { type: 'object', properties: { line: { type: 'string' } }, additionalProperties: false },
};

let db: TestDatabase;
const open = postgresStores((opened) => {
  db = opened;
});

async function opened(): Promise<CallStore> {
  const store = await open();
  const { tool, toolCall } = wireStages(db, {
    audit: { record: () => Promise.resolve() },
    dispatcher: { dispatch: () => Promise.reject(new Error('no call is sent')) },
  });
  const { id: author } = await store.person();
  const shell = sampleTool('shell', SHELL);
  await store.uow.run(store.tenantId, (tx) =>
    tool.tools.addVersion(tx, shell, definitionText(shell.definition), author, 0),
  );
  const read = async (callId: ToolCallId): Promise<CallSubject> => {
    const subject = await store.uow.run(store.tenantId, (tx) => toolCall.subjects.read(tx, callId));
    if (subject === null) throw new Error('the call is kept');
    return subject;
  };
  return {
    ...store,
    calls: toolCall.subjects,
    blocked: () => somebodyWaits(db.owner),
    waiting: async (environment) => read((await store.call(environment)).callId),
    bound: async () => {
      const { staging } = store.tenant;
      const put = async (tx: Tx, members: Partial<ExecutorRecord>): Promise<ExecutorRecord> => {
        const { digest: _, ...own } = members;
        const record = sampleExecutor(staging, own);
        await tool.executors.save(tx, staging.id, record, author, 0);
        return record;
      };
      const first = await store.uow.run(store.tenantId, (tx) => put(tx, {}));
      const { name, version, digest } = first;
      const { callId } = await store.call('staging', { name, version, digest, answeredBy: 'executor' });
      return {
        waiting: await read(callId),
        move: async (tx) => {
          await put(tx, { ...first, version: 2, url: 'https://elsewhere.example.com/' });
        },
      };
    },
  };
}

describeCallSubjects('ToolCallSubjects in PostgreSQL', opened);

it('says what the command line does, from the call alone', async () => {
  const { calls, waiting, uow, tenantId } = await opened();
  const { call } = await waiting('staging');
  expect(call).toMatchObject({
    category: 'terminal-read',
    level: 'low',
    impact: 'shell executes in staging (Tier 1, READ_ONLY): ls -l',
  });
  const about = await uow.run(tenantId, (tx) => calls.about(tx, [call.id]));
  expect(about.get(call.id)).toMatchObject({ impact: call.impact, category: call.category });
});
