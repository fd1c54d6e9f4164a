/** Changes guardrails, confirms such changes, and answers for every incident. */
export const PLATFORM_ADMIN = 'PlatformAdmin';

/** Reads the audit log, and answers for every incident. */
export const SECURITY_REVIEWER = 'SecurityReviewer';

const SRE_LEAD = 'SRELead';

/** Roles that every tenant knows, even if no person holds them. */
export const STANDARD_ROLES = [PLATFORM_ADMIN, SRE_LEAD, 'DevOpsEngineer', SECURITY_REVIEWER] as const;

/** Roles that may lift a halt. Setting one takes the scope alone: a stop must never wait for the right person. */
export const LIFTING_ROLES = [PLATFORM_ADMIN, SRE_LEAD] as const;

/** Roles whose holders hear of every incident, and answer for it. */
export const INCIDENT_ROLES = [PLATFORM_ADMIN, SECURITY_REVIEWER] as const;
