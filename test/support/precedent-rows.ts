import { sqlOf } from '#lib/database';
import { newId, type Tx } from '#lib/kernel';
import type { InventedPrecedent } from '../../libs/evidence/precedent/src/application/fake-precedents.js';

export type { InventedPrecedent };

/** Keeps precedents as the ends of requests do. */
export async function keepPrecedents(tx: Tx, all: readonly InventedPrecedent[]): Promise<void> {
  await sqlOf(tx).execute(
    'select precedent_keep(jsonb_populate_record(null::precedent, one)) from jsonb_array_elements($1) as given (one)',
    [JSON.stringify(all.map(rowOf))],
  );
}

/** @returns the id of the one that was kept. */
export async function keepPrecedent(tx: Tx, one: InventedPrecedent): Promise<string> {
  const id = newId();
  await keepPrecedents(tx, [{ id, ...one }]);
  return id;
}

function rowOf(one: InventedPrecedent): object {
  const id = one.id ?? newId();
  const at = '2026-11-03T09:00:00Z';
  return {
    ...{ id, request_id: id, subject_type: 'plan', subject_id: newId(), task_id: newId(), environment_id: newId() },
    ...{ environment_name: one.environment, agent_id: one.agentId ?? null, ended_as: one.endedAs ?? 'completed' },
    ...{ unknown_effects: 0, effects: 0, tools: [...one.tools].sort(), arguments: [...(one.arguments ?? [])].sort() },
    ...{ targets: [...(one.targets ?? [])].sort(), target_count: one.targets?.length ?? 0, phases: 'all' },
    ...{
      goal: one.goal,
      goal_is_own: true,
      own_words: one.goal,
      said_words: one.said ?? '',
      opened_at: at,
      ended_at: at,
    },
  };
}
