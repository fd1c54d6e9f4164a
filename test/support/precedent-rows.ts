import { sqlOf } from '#lib/database';
import { newId, type Tx } from '#lib/kernel';

/** A precedent that a test invents. */
export interface InventedPrecedent {
  readonly id?: string;
  readonly agentId?: string;
  readonly goal: string;
  readonly said?: string;
  readonly tools: readonly string[];
  readonly environment: string;
  readonly arguments?: readonly string[];
  readonly targets?: readonly string[];
  readonly endedAs?: string;
  readonly endedAt?: number;
}

/** Keeps it as the end of a request does. @returns its id. */
export async function keepPrecedent(tx: Tx, one: InventedPrecedent): Promise<string> {
  const id = one.id ?? newId();
  const at = new Date(one.endedAt ?? 1_790_000_000_000).toISOString();
  await sqlOf(tx).execute('select precedent_keep(jsonb_populate_record(null::precedent, $1))', [
    JSON.stringify({
      ...{ id, request_id: id, subject_type: 'plan', subject_id: newId(), task_id: newId(), environment_id: newId() },
      ...{ environment_name: one.environment, agent_id: one.agentId ?? null, ended_as: one.endedAs ?? 'completed' },
      ...{ unknown_effects: 0, tools: [...one.tools].sort(), arguments: [...(one.arguments ?? [])].sort() },
      ...{ targets: [...(one.targets ?? [])].sort(), target_count: one.targets?.length ?? 0, phases: 'all' },
      ...{ goal: one.goal, own_words: one.goal, said_words: one.said ?? '', opened_at: at, ended_at: at },
    }),
  ]);
  return id;
}
