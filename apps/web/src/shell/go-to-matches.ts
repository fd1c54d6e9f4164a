import { PLACES } from './navigation.js';

export interface Match {
  readonly name: string;
  readonly path: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The pages that a text may mean: by name, or, for an id, whatever may have it. */
export function matchesOf(text: string): Match[] {
  const wanted = text.trim().toLowerCase();
  if (uuid.test(wanted))
    return ['requests', 'plans', 'tasks', 'runs', 'audit', 'incidents', 'changes'].map((kind) => ({
      name: `${kind.charAt(0).toUpperCase()}${kind.slice(1).replace(/s$/, '')} ${wanted}`,
      path: `/${kind}/${wanted}`,
    }));
  return PLACES.filter(({ name }) => name.toLowerCase().includes(wanted)).map(({ name, path }) => ({ name, path }));
}
