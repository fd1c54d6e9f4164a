import { z } from 'zod';
import { SHELLS } from '#lib/formats';

/** A longer command is refused. One over 16 KB in UTF-8 gets its verdict, which is Tier 3. */
const MAX_COMMAND = 65_536;

/** A command line to be judged, and the shell that would read it. */
export const classifyShellSchema = z
  .strictObject({
    command: z.string().max(MAX_COMMAND).meta({ description: 'The command line. It is not executed.' }),
    shell: z.enum(SHELLS).default('unknown').meta({
      description: 'The shell that would read it. `unknown` is judged as bash, zsh and sh at once, the worst counting.',
    }),
  })
  .meta({ id: 'ClassifyShell' });
export type ClassifyShellBody = z.infer<typeof classifyShellSchema>;
