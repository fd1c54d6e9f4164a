import type { z } from 'zod';
import type { signInOptionsSchema } from '#lib/contracts';
import { api } from '../api/client.js';

/** How the people of an organisation may come in; without its short name: those of the only one there is. */
export const signInOptions = (tenant: string) => ({
  queryKey: ['sign-in-options', tenant],
  queryFn: () => api.get<z.infer<typeof signInOptionsSchema>>('/v1/sign-in/options', { tenant }),
  retry: false,
});
