/** The curated list of a terminal. Everything else is blocked. */
export const ALWAYS_ALLOWED: ReadonlySet<string> = new Set(
  (
    'ls dir cat head tail wc find grep which where whoami echo pwd env printenv date hostname uname file stat ' +
    'du df tree'
  ).split(' '),
);

/** Programs that may write, for terminals that are allowed to. */
export const ALLOWED_AFTER_APPROVAL: ReadonlySet<string> = new Set(
  'npm npx yarn pnpm pip pip3 python python3 node cargo go dotnet make cmake mvn gradle'.split(' '),
);
