/** Somebody of Acme, as its issuer knows them. */
export interface DemoPerson {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  readonly title: string;
  readonly groups: readonly string[];
}

const person = (name: string, title: string, ...groups: readonly string[]): DemoPerson => ({
  sub: name.toLowerCase(),
  name,
  email: `${name.toLowerCase()}@acme.example`,
  title,
  groups,
});

/** Everybody at Acme; their roles come from their groups at the issuer. */
export const PEOPLE = {
  ada: person('Ada', 'administers Countersign', 'platform-admins'),
  noor: person('Noor', 'administers Countersign, too', 'platform-admins'),
  olga: person('Olga', 'SRE lead, answers for drift-bot', 'sre-leads'),
  sam: person('Sam', 'SRE lead', 'sre-leads'),
  lea: person('Lea', 'SRE lead', 'sre-leads'),
  dev: person('Dev', 'DevOps engineer, answers for shop-bot', 'devops'),
  rita: person('Rita', 'security reviewer', 'security'),
} as const;

/** Which group gives which role. */
export const ROLE_MAPPINGS = [
  { value: 'platform-admins', role: 'PlatformAdmin' },
  { value: 'sre-leads', role: 'SRELead' },
  { value: 'devops', role: 'DevOpsEngineer' },
  { value: 'security', role: 'SecurityReviewer' },
] as const;
