import { queryOf } from '../api/query.js';

/** How the people of an organisation may come in; without its short name: those of the only one there is. */
export const signInOptions = (tenant: string) => ({
  ...queryOf('/v1/sign-in/options', { query: { tenant } }),
  retry: false,
});
