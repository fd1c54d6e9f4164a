import { err, ok, type Failure, type Result } from '#lib/kernel';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The tenant and the database of the installation that it moves to, as the operator names them. */
export interface MoveNames {
  readonly slug: string;
  /** One address for each host. */
  readonly to: readonly string[];
}

/** Refuses a text that is no slug. */
export const checkSlug = (slug: string): Result<string> => (SLUG.test(slug) ? ok(slug) : err(wrongSlug));

/** Refuses names that are none; the message never holds the address, which has a password. */
export function checkNames({ slug, to }: MoveNames): Result<MoveNames> {
  const checked = checkSlug(slug);
  if (!checked.ok) return checked;
  return to.length > 0 && to.every(isTarget) ? ok({ slug, to }) : err(wrongTarget);
}

function isTarget(to: string): boolean {
  if (!URL.canParse(to)) return false;
  const url = new URL(to);
  const plain = ['postgres:', 'postgresql:'].includes(url.protocol) && url.hostname !== '' && url.pathname.length > 1;
  // Parameters could read files of this machine (sslkey) or turn settings of the database session around (options).
  const parameters = [...url.searchParams.keys()].every((name) => name === 'sslmode');
  return plain && parameters && url.hash === '';
}

const wrongSlug: Failure = {
  kind: 'invalid',
  code: 'tenant_move.slug',
  message: 'This is no slug of a tenant.',
  action: 'Name the tenant by its slug: lower-case letters, digits and hyphens.',
};

const wrongTarget: Failure = {
  kind: 'invalid',
  code: 'tenant_move.target',
  message: 'The target is no address of a PostgreSQL database.',
  action:
    'Write --to postgres://user:password@host:5432/database, or with several hosts, and with no other parameter than sslmode.',
};
