import { useDirectory } from '../api/directory.js';
import { useSignedIn } from '../api/browser-session.js';
import { useTask } from '../api/tasks.js';

/**
 * Whether the reader may change the objects of a task. It is theirs or of an agent that they own, or they are an administrator.
 */
export function useMayChange(taskId: string): boolean {
  const { person } = useSignedIn();
  const { ownerOf } = useDirectory();
  const { data } = useTask(taskId);
  if (data === undefined) return false;
  const { kind, id, on_behalf_of: behalf } = data.submitted_by;
  const answers = kind === 'agent' && ownerOf(id) === person.id;
  return id === person.id || behalf === person.id || answers || person.roles.includes('PlatformAdmin');
}
