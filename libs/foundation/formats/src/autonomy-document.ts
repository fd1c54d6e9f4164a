import { z } from 'zod';
import { ANY_ROLE, approvalSlotSchema } from './approval-slot.js';
import { environmentNameSchema, toolNameSchema } from './names.js';

/** How far a tenant lets agents go on their own (ADR-009), strictest first. */
export const AUTONOMY_MODES = ['plan_only', 'canary_only', 'full_auto'] as const;
export type AutonomyMode = (typeof AUTONOMY_MODES)[number];

/** The largest autonomy document, as UTF-8 bytes. */
export const MAX_AUTONOMY_BYTES = 64 * 1024;

/** The calls of a session that names no budget, if the tenant's document names none either. */
export const CALLS_PER_SESSION = 500;
/** The largest budget of calls that a session has. */
export const MAX_CALLS_PER_SESSION = 10_000;
/** The calls of an agent in an hour, if the tenant's document names no budget. */
export const CALLS_PER_HOUR = 1_000;
/** The largest budget of calls that an agent has in an hour. */
const MAX_CALLS_PER_HOUR = 10_000;
/** The calls of one turn outside sessions, and the most in flight at once. This holds if the tenant's document names no bound. */
export const CALLS_PER_TURN = 8;
const MAX_CALLS_PER_TURN = 64;
/** How long a call outside sessions waits for people, in seconds, if the tenant's document does not say it. */
export const APPROVAL_SECONDS = 120;
const MAX_APPROVAL_SECONDS = 3_600;
/** The open sessions of an agent, if the tenant's document names no bound. */
export const SESSIONS_PER_AGENT = 20;
const MAX_SESSIONS_PER_AGENT = 1_000;

/** A role's name; `any` stands for every person of the tenant. */
const roleNameSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, 'must be a role: a letter, then at most 62 letters, digits, _ and -');

const rolesSchema = z.array(roleNameSchema).min(1).max(100);

const slotSchema = approvalSlotSchema.extend({
  count: z.int().min(1).max(20).meta({ description: 'How many distinct people.' }),
  roles: rolesSchema.meta({ description: 'Each of them holds one of these roles.' }),
});

const mode = z.enum(AUTONOMY_MODES).meta({
  description:
    'plan_only: agents plan and simulate, nothing changes; canary_only: production changes stop after their canary phases; full_auto: approved plans run as a whole.',
});

const rules = {
  allowed_approvers: rolesSchema
    .optional()
    .meta({ description: 'People with these roles may approve; [any] is every person of the tenant.' }),
  require_two_approvers: z
    .boolean()
    .optional()
    .meta({ description: 'At least two distinct people, for production state changes.' }),
  quorum: z
    .array(slotSchema)
    .min(1)
    .max(20)
    .optional()
    .meta({ description: 'Conjunctive: one distinct person for every slot.' }),
  require_mfa: z
    .boolean()
    .optional()
    .meta({ description: 'Approvals take a second factor, proved for exactly this request.' }),
  require_approval: z.boolean().optional().meta({ description: 'People approve changes outside production, too.' }),
  max_batch_percent: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Lowers the largest batch; it never raises it.' }),
};

const lifetimes = {
  simulation_valid_minutes: z
    .int()
    .min(1)
    .max(10_080)
    .optional()
    .meta({ description: 'How long a simulation is good for; a day if absent.' }),
  approval_valid_minutes: z
    .int()
    .min(1)
    .max(10_080)
    .optional()
    .meta({ description: 'How long an approval is good for; later the run does not start.' }),
};

const escalationSchema = z
  .strictObject({
    after_minutes: z.int().min(1).max(10_080).meta({ description: 'From the opening of the request.' }),
    to: rolesSchema
      .refine((to) => !to.includes(ANY_ROLE), 'names roles, not everybody')
      .meta({ description: 'People with these roles are told.' }),
  })
  .meta({
    description:
      'Further roles to tell of a request that stays undecided. The roles give no right to review. Telling a role later, or no longer, waits for a second admin, as telling a further role does.',
  });

const environmentRulesSchema = z.strictObject({
  mode: mode.optional(),
  ...rules,
  ...lifetimes,
  escalation: escalationSchema.optional(),
});

const toolOverrideSchema = z.strictObject({ mode: mode.optional(), ...rules });

/** ADR-009's break-glass block. The schema has no member that could keep its use silent. */
const emergencyOverrideSchema = z
  .strictObject({
    enabled: z.boolean().meta({ description: 'Switching it on waits for a second admin.' }),
    requires_mfa: z.literal(true).optional().meta({ description: 'Always true.' }),
    requires_justification: z.literal(true).optional().meta({ description: 'Always true.' }),
    audit_level: z.literal('critical').optional().meta({ description: 'Always critical.' }),
    auto_creates_incident: z.literal(true).optional().meta({ description: 'Always true.' }),
    notifies: z.array(z.string().trim().min(1).max(200)).max(50).optional().meta({
      description:
        'Destinations of the incident settings. Each has an address that took a test message, or break-glass is not switched on. Without any, somebody else than its user must be PlatformAdmin or SecurityReviewer.',
    }),
    allowed_roles: rolesSchema
      .optional()
      .meta({ description: 'People with these roles may invoke it; absent: no person may.' }),
  })
  .meta({ id: 'EmergencyOverride' });
export type EmergencyOverride = z.infer<typeof emergencyOverrideSchema>;

/** The days of a week, as freezes name them. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** A moment by the clock on the wall of the freeze's time zone. */
const wallClockSchema = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):[0-5]\d$/, 'must read 2026-12-24T18:00');

const weekMomentSchema = z
  .string()
  .regex(new RegExp(`^(${WEEKDAYS.join('|')}) ([01]\\d|2[0-3]):[0-5]\\d$`), 'must be a day and a time: Friday 18:00');

const freezeSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be a name of lower-case letters, digits, _ and -')
      .meta({ description: 'How errors and pages call it.' }),
    time_zone: z.string().min(1).max(64).meta({ description: 'IANA: Europe/Berlin.' }),
    environments: z.array(environmentNameSchema).min(1).max(200).optional().meta({ description: 'Absent: all.' }),
    tools: z
      .array(toolNameSchema)
      .min(1)
      .max(1_000)
      .optional()
      .meta({ description: 'Absent: every tool that changes state.' }),
    from: wallClockSchema.optional().meta({ description: 'Its beginning, by the clock of the time zone.' }),
    until: wallClockSchema.optional().meta({ description: 'Its end.' }),
    weekly: z
      .array(
        z.strictObject({
          from: weekMomentSchema.meta({ description: 'Friday 18:00.' }),
          until: weekMomentSchema.meta({ description: 'Monday 07:00.' }),
        }),
      )
      .min(1)
      .max(50)
      .optional()
      .meta({ description: 'Instead of from and until: spans of every week.' }),
    may_pass: rolesSchema.optional().meta({ description: 'People with these roles may start runs in it.' }),
  })
  .meta({ id: 'Freeze', description: 'Nothing that changes state starts in it: from and until, or weekly.' });
export type Freeze = z.infer<typeof freezeSchema>;

/** A tenant's autonomy document, ADR-009's keys verbatim. */
export const autonomyDocumentSchema = z
  .strictObject({
    autonomy: z
      .strictObject({
        mode,
        ...rules,
        ...lifetimes,
        calls_per_session: z.int().min(1).max(MAX_CALLS_PER_SESSION).optional().meta({
          description:
            'The most calls of a session of agents, which is also what a session gets that names none. If absent, it is 500, and a person may give a session more.',
        }),
        calls_per_hour: z.int().min(1).max(MAX_CALLS_PER_HOUR).optional().meta({
          description:
            'The most single calls that one agent asks for in an hour, in all its sessions and outside them. It also bounds the calls that one person asks for with tokens. If absent, it is 1,000.',
        }),
        calls_per_turn: z.int().min(1).max(MAX_CALLS_PER_TURN).optional().meta({
          description:
            'Outside sessions, the most single calls of one turn, and in flight at once, of one agent or person. If absent, it is 8. A session has a bound of its own.',
        }),
        approval_seconds: z.int().min(10).max(MAX_APPROVAL_SECONDS).optional().meta({
          description:
            'Outside sessions, how long a single call waits for people before it is denied. If absent, it is 120. A session has a bound of its own.',
        }),
        sessions_per_agent: z.int().min(1).max(MAX_SESSIONS_PER_AGENT).optional().meta({
          description: 'The most sessions of one agent that are open at once. If absent, it is 20.',
        }),
        environments: z
          .record(environmentNameSchema, environmentRulesSchema)
          .optional()
          .meta({ description: "By name; an environment's settings replace the tenant's." }),
        tool_overrides: z
          .record(toolNameSchema, toolOverrideSchema)
          .optional()
          .meta({ description: 'By tool; it only tightens the rules of its environment.' }),
      })
      .meta({ description: 'How far agents go alone, and the approvers of the rest.' }),
    emergency_override: emergencyOverrideSchema
      .optional()
      .meta({ description: 'Break-glass; switched off if absent.' }),
    freezes: z.array(freezeSchema).min(1).max(50).optional().meta({ description: 'Times in which no change starts.' }),
  })
  .meta({ id: 'AutonomyDocument' });
export type AutonomyDocument = z.infer<typeof autonomyDocumentSchema>;
