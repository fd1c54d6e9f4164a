/**
 * People with their roles, agents with the person accountable for each, and their credentials.
 *
 * Invariants: of a token only a digest is kept; only a person mints their own token, through a one-time enrolment at
 * first; an agent's credential never holds `review`, `audit` or `admin`; people assign no role to themselves, and the last
 * PlatformAdmin stays; an agent acts for a person only by a delegation that the person issued; every change is audited.
 *
 * Never decides the rights of a role: that is policy's.
 */
export { nodeRandomBytes } from './adapters/node-random-bytes.js';
export {
  agentEntity,
  credentialEntity,
  enrolmentEntity,
  personEntity,
  personVouchEntity,
  roleAssignmentEntity,
} from './adapters/identity.entity.js';
export { ReadRoles } from './application/read-roles.js';
export { sealedRoleAssignment } from './adapters/sealed-role-assignments.js';
export { sealedEnrolment, sealedIdentity, sealedStanding } from './adapters/sealed-ways-in.js';
export { signedInAtOf, type StoredSignIn } from './adapters/signed-in-at.js';
export { ChangeAgent, RegisterAgent } from './application/agents.js';
export { Bootstrap } from './application/bootstrap.js';
export { ExchangeEnrolment, IssueEnrolment, type IssuedEnrolment } from './application/enrolment.js';
export type {
  PersonRepository,
  AgentRepository,
  Caller,
  CredentialRepository,
  Enrolment,
  EnrolmentMaker,
  EnrolmentRepository,
  Seats,
  RandomBytes,
  Authenticator,
  BudgetRefusal,
  RequestBudget,
} from './application/identity.ports.js';
export { Invitations } from './application/invitations.js';
export { InvitePerson, KeepInvitations } from './application/invite.js';
export { MailInvitation, type InvitationMail, type InvitationMailer } from './application/mail-invitation.js';
export {
  maskedOperation,
  takeRequiredProof,
  type MfaMethod,
  type SteppedUpOperation,
  type MfaProof,
  type TakenProof,
  type MfaProofs,
  STEP_UP_ROUTE,
  proofRequired,
  notEnrolled,
} from './application/mfa-proofs.js';
export { roleHoldersIn } from './adapters/held-roles.js';
export { MintAgentCredential } from './application/mint-agent-credential.js';
export { MintCredential, type MintedCredential } from './application/mint-credential.js';
export { MintOwnToken } from './application/mint-own-token.js';
export { AddPerson, ChangePerson } from './application/people.js';
export { ReadIdentity, type NamedStanding } from './application/read-identity.js';
export { OutdatePerson } from './application/outdate-person.js';
export type { PasskeyKeeper } from './application/passkey-keeper.js';
export { endedDocument, EndFormerHand } from './application/end-former-hand.js';
export { VouchForPerson } from './application/vouch-for-person.js';
export { RevokeCredential } from './application/revoke-credential.js';
export { endedMeanwhile } from './application/token-allowance.js';
export { AssignRole, RevokeRole } from './application/roles.js';
export type { Agent } from './domain/agent.js';
export { BROWSER_SESSION_IDLE_MS, type Credential } from './domain/credential.js';
export type { StepUpId } from './domain/ids.js';
export { knownByWords } from './domain/known-by-words.js';
export {
  addressed,
  countingRoles,
  requireAdminLeft,
  shownName,
  type Person,
  type RoleAssignment,
} from './domain/person.js';
export {
  recordedKnownBy,
  seatDocument,
  type RecordedKnownBy,
  shareSeat,
  standingsIn,
  type KnownBy,
  type Seated,
  type Standing,
  WAYS_TO_A_VOTE,
  WAYS_TO_THEIR_VOTE,
} from './domain/seats.js';
export { AGENT_SCOPES } from './domain/scopes.js';
export { spellToken, TOKEN_BYTES } from './domain/token.js';
export {
  createDirectory,
  createIdentity,
  createIdentityStore,
  type Directory,
  type Limited,
} from './create-identity.js';
