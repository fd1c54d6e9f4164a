import { z } from 'zod';

const SET_UP_STEPS = [
  'second_admin',
  'second_factor',
  'tools',
  'executor',
  'first_call',
  'autonomy',
  'agent',
  'reviewers',
  'break_glass',
  'slack',
  'checkpoint',
] as const;

export const setUpSchema = z
  .object({
    steps: z.array(
      z.object({
        step: z.enum(SET_UP_STEPS),
        title: z.string(),
        done: z.boolean(),
        needed: z.boolean().meta({ description: 'False: Countersign works without it.' }),
        detail: z.string().meta({ description: 'Its state; if something is missing, the next action.' }),
        path: z.string().meta({ description: 'The page on which it is done.' }),
        command: z.string().nullable().meta({ description: 'The command that does it, if there is one.' }),
      }),
    ),
    complete: z.boolean().meta({ description: 'Whether everything that is needed is done.' }),
  })
  .meta({ id: 'SetUp', description: 'The needs of a new tenant before a change can be approved and carried out.' });
export type SetUpView = z.infer<typeof setUpSchema>;
