import { err, ok, type Failure, type Result } from '#lib/kernel';

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The tenant and the database of the installation that it moves to, as the operator names them. */
export interface MoveNames {
  readonly slug: string;
  readonly to: string;
}

/** Refuses names that are none; the message never holds the address, which has a password. */
export function checkNames({ slug, to }: MoveNames): Result<MoveNames> {
  if (!SLUG.test(slug)) return err(wrongSlug);
  if (!URL.canParse(to)) return err(wrongTarget);
  const url = new URL(to);
  const plain = ['postgres:', 'postgresql:'].includes(url.protocol) && url.hostname !== '' && url.pathname.length > 1;
  // Parameters could read files of this machine (sslkey) or turn settings of the session around (options).
  const parameters = [...url.searchParams.keys()].every((name) => name === 'sslmode');
  return plain && parameters && url.hash === '' ? ok({ slug, to }) : err(wrongTarget);
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
  action: 'Write --to postgres://user:password@host:5432/database, with no other parameter than sslmode.',
};
