import type { HaltView } from '#lib/api-schemas';
import { useDirectory } from '../api/directory.js';

/** The scope of a halt, in words. */
export function useHaltScope(): (halt: HaltView) => string {
  const { nameOf } = useDirectory();
  return ({ kind, environment, tool, agent_id: agentId }) => {
    switch (kind) {
      case 'tenant':
        return 'Everything';
      case 'environment':
        return `Environment ${environment?.name ?? ''}`;
      case 'tool':
        return `Tool ${tool ?? ''}`;
      case 'agent':
        return nameOf({ kind: 'agent', id: agentId ?? '' });
    }
  };
}
