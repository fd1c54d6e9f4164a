import { z } from 'zod';

/** Changes guardrails, confirms such changes, and answers for every incident. */
export const PLATFORM_ADMIN = 'PlatformAdmin';

/** Reads the audit log, and answers for every incident. */
export const SECURITY_REVIEWER = 'SecurityReviewer';

const SRE_LEAD = 'SRELead';

/** Roles that every tenant knows, even if no person holds them. */
export const STANDARD_ROLES = [PLATFORM_ADMIN, SRE_LEAD, 'DevOpsEngineer', SECURITY_REVIEWER] as const;

/** Roles that may lift a halt. Setting one takes the scope alone: a stop must never wait for the right person. */
export const LIFTING_ROLES = [PLATFORM_ADMIN, SRE_LEAD] as const;

/** The roles that are notified of every incident, and answer for it. */
export const INCIDENT_ROLES = [PLATFORM_ADMIN, SECURITY_REVIEWER] as const;

export const SCOPE_NAMES = ['read', 'submit', 'run', 'review', 'halt', 'audit', 'admin'] as const;

export const scopeSchema = z.enum(SCOPE_NAMES).meta({ id: 'Scope' });

/** A role's name; `any` is taken by autonomy documents. */
export const roleSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, 'must be 1 to 63 letters, digits, "_" and "-", and begin with a letter')
  .meta({ examples: [...STANDARD_ROLES] });
