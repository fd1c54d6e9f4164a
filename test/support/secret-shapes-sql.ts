import { secretShapes, PRIVATE_KEY_MEMBERS, secretName } from '../../libs/foundation/kernel/src/mask-secrets.js';

/** The longest value that precedents keep, in characters. */
const LONGEST = 200;
const WORD = '[A-Za-z0-9_]';

/** A pattern of JavaScript as PostgreSQL writes it: a text of at most 200 characters matches both or neither. */
function inPostgres({ source, flags }: RegExp): string {
  const whole = source
    // The masker also takes a word that is no token, and leaves it.
    .replace(/\)\?$/, ')')
    // The boundaries of PostgreSQL know other letters.
    .replace(/^\\b/, `(?<!${WORD})`)
    .replace(/\\b$/, `(?!${WORD})`)
    .replaceAll('\\/', '/')
    .replaceAll('[\\s\\S]', '.')
    // PostgreSQL repeats 255 times at most.
    .replaceAll(/\{(\d+),(\d+)\}/g, (bound, least: string, most: string) =>
      Number(most) > LONGEST ? `{${least},}` : bound,
    );
  return `${flags.includes('i') ? '(?i)' : ''}${whole}`;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const listed = (items: readonly string[]): string => items.map((item) => `      ${literal(item)}`).join(',\n');

/** The part of the migration of precedents about secrets: the same names and shapes that mask-secrets.ts masks. */
export const secretShapesSql = (): string => `\
create function precedent_secret_shapes() returns text[]
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
  begin atomic
    select array[
${listed(secretShapes.map(([pattern]) => inPostgres(pattern)))}
    ];
  end;
create function precedent_secret_name() returns text
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
  begin atomic
    select ${literal(inPostgres(secretName))};
  end;
create function precedent_private_members() returns text[]
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
  begin atomic
    select array[${[...PRIVATE_KEY_MEMBERS].map(literal).join(', ')}];
  end;
`;
