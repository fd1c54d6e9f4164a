import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import type * as contracts from '#lib/contracts';
import { CountersignError, Transport, type TransportOptions } from './transport.js';

/** What a schema of the contracts says an answer looks like. */
type Of<Name extends keyof typeof contracts> = (typeof contracts)[Name] extends z.ZodType<infer Shape> ? Shape : never;
/** What a schema of the contracts accepts, before its defaults are filled in. */
type In<Name extends keyof typeof contracts> = (typeof contracts)[Name] extends z.ZodType
  ? z.input<(typeof contracts)[Name]>
  : never;

/** What was asked for, done; or the change, where it loosens the gate and waits for a second person. */
export type MayWait<T> = T | Of<'changeRequestSchema'>;

/** Whether it waits: then nothing was changed yet. */
export const isWaiting = <T extends object>(answer: MayWait<T>): answer is Of<'changeRequestSchema'> =>
  'change_digest' in answer;

/** One page of a list; `next_cursor` is null on the last. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

const STREAM_RETRIES = 10;
const STREAM_PAUSE_MS = 500;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

const at = (strings: TemplateStringsArray, ...values: readonly string[]): string =>
  String.raw({ raw: strings }, ...values.map(encodeURIComponent));

/**
 * The API, method by method. Every method rejects with a CountersignError that carries the problem document. POSTs are
 * sent again after a broken connection, under one idempotency key.
 */
export class CountersignClient {
  readonly transport: Transport;

  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.transport = new Transport(options);
  }

  /** The same client, which says why: what loosens a guardrail waits for a second person, who is told. */
  because = (reason: string): CountersignClient => new CountersignClient({ ...this.#options, reason });

  /** Who the credential belongs to. */
  me = (): Promise<Of<'meSchema'>> => this.#get('/v1/me');

  /** Founds a tenant with the server's bootstrap token. */
  bootstrap = (body: In<'bootstrapRequestSchema'>): Promise<Of<'bootstrapAnswerSchema'>> =>
    this.#post('/v1/bootstrap', body);

  /** Exchanges a one-time enrolment token for a credential of one's own. */
  enrol = (body: In<'enrolmentExchangeSchema'>): Promise<Of<'mintedTokenSchema'>> => this.#post('/v1/enrolment', body);

  /** What a new tenant needs, and how far it is; for admins. */
  setUp = (): Promise<Of<'setUpSchema'>> => this.#get('/v1/set-up');
  /** All that waits for the caller, the most pressing first. */
  inbox = (): Promise<Of<'inboxSchema'>> => this.#get('/v1/inbox');

  /** Finds people, agents, tools and work by a word, a name or a part of an id. */
  search = (query: In<'findQuerySchema'>): Promise<Of<'findingListSchema'>> =>
    this.#get('/v1/search', { text: query.text, limit: Number(query.limit ?? 5) });

  readonly people = {
    add: (body: In<'newPersonSchema'>): Promise<Of<'personSchema'>> => this.#post('/v1/people', body),
    list: (query: PageQuery & { readonly without_issuer?: 'true' } = {}): Promise<Of<'personPageSchema'>> =>
      this.#get('/v1/people', { ...query }),
    get: (id: string): Promise<Of<'personSchema'>> => this.#get(at`/v1/people/${id}`),
    grantRole: (id: string, role: string): Promise<MayWait<Of<'personSchema'>>> =>
      this.#post(at`/v1/people/${id}/roles`, { role }),
    /** As an admin of another hand, with a proved step-up {kind: 'vouch'}: the person has a vote of their own from then on. */
    vouch: (id: string, body: In<'vouchSchema'>): Promise<Of<'vouchedPersonSchema'>> =>
      this.#post(at`/v1/people/${id}/vouch`, body),
    revokeRole: (id: string, role: string): Promise<void> => this.#send('DELETE', at`/v1/people/${id}/roles/${role}`),
    /** A one-time token with which the person makes their own credential; where it waits, it opens nothing until then. */
    invite: (id: string): Promise<Of<'enrolmentSchema'> | Of<'waitingEnrolmentSchema'>> =>
      this.#post(at`/v1/people/${id}/enrolment`),
    /** Invites somebody new by a link that the server mails to them and shows to nobody else. */
    inviteByMail: (body: In<'newInvitationSchema'>): Promise<MayWait<Of<'mailedInvitationSchema'>>> =>
      this.#post('/v1/invitations/mailed', body),
  };

  readonly issuers = {
    get: (): Promise<Of<'signInSettingsSchema'>> => this.#send('GET', '/v1/issuers'),
    /** All of them; one that is left out is out of service. @param revision the one that was read. */
    put: (revision: number, body: In<'wantedSignInSettingsSchema'>): Promise<MayWait<Of<'signInSettingsSchema'>>> =>
      this.transport.json('PUT', '/v1/issuers', {
        body,
        ...(revision === 0 ? {} : { ifMatch: `"${String(revision)}"` }),
      }),
    /** As an admin of another hand than the one that set it up alone, with a proved step-up {kind: 'issuer_confirm'}. */
    confirm: (name: string, body: In<'confirmIssuerSchema'>): Promise<Of<'signInSettingsSchema'>> =>
      this.#post(at`/v1/issuers/${name}/confirm`, body),
  };

  readonly agents = {
    register: (body: In<'newAgentSchema'>): Promise<Of<'agentSchema'>> => this.#post('/v1/agents', body),
    list: (page: PageQuery = {}): Promise<Of<'agentPageSchema'>> => this.#get('/v1/agents', { ...page }),
    get: (id: string): Promise<Of<'agentSchema'>> => this.#get(at`/v1/agents/${id}`),
    /** Who could approve what it asks for in production, and whether they are enough. */
    reviewers: (id: string): Promise<Of<'agentReviewersSchema'>> => this.#get(at`/v1/agents/${id}/reviewers`),
    change: (id: string, body: In<'agentChangeSchema'>): Promise<MayWait<Of<'agentSchema'>>> =>
      this.#send('PATCH', at`/v1/agents/${id}`, body),
    mintToken: (id: string, body: In<'newTokenSchema'>): Promise<Of<'mintedTokenSchema'>> =>
      this.#post(at`/v1/agents/${id}/tokens`, body),
    /** Lets the agent act on behalf of the caller. */
    delegate: (id: string, body: In<'newTokenSchema'>): Promise<Of<'mintedTokenSchema'>> =>
      this.#post(at`/v1/agents/${id}/delegations`, body),
  };

  readonly tokens = {
    /** A further one for oneself: no wider than the credential in use, nor than one's roles. */
    mint: (body: In<'newTokenSchema'>): Promise<Of<'mintedTokenSchema'>> => this.#post('/v1/tokens', body),
    /** One's own, those of one's agents, and delegations one issued; an admin sees all. The tokens themselves are nowhere. */
    list: (page: PageQuery = {}): Promise<Of<'tokenPageSchema'>> => this.#get('/v1/tokens', { ...page }),
    revoke: (id: string): Promise<void> => this.#send('DELETE', at`/v1/tokens/${id}`),
  };

  readonly environments = {
    list: (page: PageQuery = {}): Promise<Of<'environmentPageSchema'>> => this.#get('/v1/environments', { ...page }),
    create: (body: In<'newEnvironmentSchema'>): Promise<Of<'environmentSchema'>> =>
      this.#post('/v1/environments', body),
    /** @param version the one that was read: refused where somebody has changed the environment since. */
    change: (
      id: string,
      version: number,
      body: In<'environmentChangeSchema'>,
    ): Promise<MayWait<Of<'environmentSchema'>>> =>
      this.transport.json('PATCH', at`/v1/environments/${id}`, { body, ifMatch: `"${String(version)}"` }),
  };

  readonly secrets = {
    /** What may be known of them; their values are nowhere to be read. */
    list: (page: PageQuery = {}): Promise<Of<'secretPageSchema'>> => this.#get('/v1/secrets', { ...page }),
    /** Encrypts them anew under the installation's current master key. */
    rotate: (): Promise<Of<'secretRotationSchema'>> => this.#post('/v1/secrets/rotation'),
    /** Stores the next version; older ones stay, for what names them. The first says what the secret may be sent to. */
    put: (name: string, value: string, binding?: In<'secretBindingSchema'>): Promise<Of<'secretSchema'>> =>
      this.#send('PUT', at`/v1/secrets/${name}`, { value, ...(binding === undefined ? {} : { binding }) }),
    /** Says what it may be sent to, all its versions alike; null: nowhere. What widens it waits for a second person. */
    bind: (name: string, binding: In<'secretBindingSchema'> | null): Promise<MayWait<Of<'boundSecretSchema'>>> =>
      this.#send('PUT', at`/v1/secrets/${name}/binding`, { binding }),
  };

  readonly tools = {
    list: (): Promise<Of<'toolListSchema'>> => this.#get('/v1/tools'),
    /** Puts a whole catalog, YAML or JSON text; with `dryRun` it only says what would change. */
    apply: (catalog: string, dryRun: boolean): Promise<MayWait<Of<'toolChangePlanSchema'>>> =>
      this.#yaml('/v1/tools', catalog, dryRun),
  };

  readonly executors = {
    list: (environment: string): Promise<Of<'executorListSchema'>> =>
      this.#get(at`/v1/environments/${environment}/executors`),
    put: (
      environment: string,
      name: string,
      body: In<'executorDocumentSchema'>,
    ): Promise<MayWait<Of<'executorViewSchema'>>> =>
      this.#send('PUT', at`/v1/environments/${environment}/executors/${name}`, body),
  };

  /** Environments, tools, executors and autonomy as documents. */
  readonly configuration = {
    /** What documents would do, each on top of the earlier ones, and which would be refused; nothing is changed. */
    check: (body: In<'configurationSchema'>): Promise<Of<'configurationCheckSchema'>> =>
      this.#post('/v1/configuration/check', body),
    /** YAML text; what it leaves out stays. Each change that loosens waits by itself. */
    putEnvironments: (yaml: string): Promise<Of<'placeChangesSchema'>> =>
      this.#yaml('/v1/configuration/environments', yaml, false),
    putExecutors: (yaml: string): Promise<Of<'placeChangesSchema'>> =>
      this.#yaml('/v1/configuration/executors', yaml, false),
    /** What stands, as YAML that can be put again. */
    read: async (part: 'environments' | 'tools' | 'executors'): Promise<string> => {
      const path = at`/v1/configuration/${part}`;
      return (await this.transport.request('GET', path, { accept: 'application/yaml' })).text;
    },
  };

  readonly autonomy = {
    /** The document in force, byte for byte, and its ETag. */
    get: async (): Promise<{ source: string; etag: string }> => {
      const { text, headers } = await this.transport.request('GET', '/v1/autonomy', { accept: 'application/yaml' });
      return { source: text, etag: headers.get('etag') ?? '' };
    },
    put: (
      source: string,
      options: { dryRun?: boolean; etag?: string } = {},
    ): Promise<MayWait<Of<'autonomyChangeSchema'>>> =>
      this.#yaml('/v1/autonomy', source, options.dryRun ?? false, options.etag),
    matrix: (): Promise<Of<'autonomyMatrixSchema'>> => this.#get('/v1/autonomy/matrix'),
    revisions: (page: PageQuery = {}): Promise<Of<'autonomyRevisionPageSchema'>> =>
      this.#get('/v1/autonomy/revisions', { ...page }),
    revision: (number: number): Promise<Of<'autonomyRevisionSchema'>> =>
      this.#get(at`/v1/autonomy/revisions/${String(number)}`),
  };

  /** What loosens the gate and waits for a second person. */
  readonly changes = {
    list: (query: Query = {}): Promise<Of<'changeRequestPageSchema'>> => this.#get('/v1/changes', query),
    get: (id: string): Promise<Of<'changeRequestSchema'>> => this.#get(at`/v1/changes/${id}`),
    /** With the digest of what was looked at, and a proved step-up {kind: 'change_confirm'}. */
    confirm: (id: string, body: In<'confirmChangeSchema'>): Promise<Of<'changeRequestSchema'>> =>
      this.#post(at`/v1/changes/${id}/confirm`, body),
    reject: (id: string, comment: string): Promise<Of<'changeRequestSchema'>> =>
      this.#post(at`/v1/changes/${id}/reject`, { comment }),
    /** One's own. */
    withdraw: (id: string): Promise<Of<'changeRequestSchema'>> => this.#post(at`/v1/changes/${id}/withdraw`),
  };

  readonly tasks = {
    create: (spec: In<'taskSpecSchema'>): Promise<Of<'taskSchema'>> => this.#post('/v1/tasks', spec),
    list: (query: Query = {}): Promise<Of<'taskPageSchema'>> => this.#get('/v1/tasks', query),
    get: (id: string): Promise<Of<'explainedTaskSchema'>> => this.#get(at`/v1/tasks/${id}`),
    cancel: (id: string): Promise<Of<'taskSchema'>> => this.#post(at`/v1/tasks/${id}/cancel`),
    /** Its revisions. */
    plans: (id: string, page: PageQuery = {}): Promise<Of<'planPageSchema'>> =>
      this.#get(at`/v1/tasks/${id}/plans`, { ...page }),
  };

  readonly plans = {
    /** Submits a revision; it supersedes the one before, whose approval is voided. */
    submit: (taskId: string, document: In<'planDocumentSchema'>): Promise<Of<'planSchema'>> =>
      this.#post(at`/v1/tasks/${taskId}/plans`, document),
    list: (query: Query = {}): Promise<Of<'planPageSchema'>> => this.#get('/v1/plans', query),
    get: (id: string): Promise<Of<'planSchema'>> => this.#get(at`/v1/plans/${id}`),
    diff: (id: string, against: string): Promise<Of<'planDiffSchema'>> =>
      this.#get(at`/v1/plans/${id}/diff`, { against }),
    withdraw: (id: string): Promise<Of<'planSchema'>> => this.#post(at`/v1/plans/${id}/withdraw`),
  };

  readonly simulations = {
    start: (planId: string): Promise<Of<'explainedSimulationSchema'>> =>
      this.#post(at`/v1/plans/${planId}/simulations`),
    get: (id: string): Promise<Of<'explainedSimulationSchema'>> => this.#get(at`/v1/simulations/${id}`),
    accuracy: (): Promise<Of<'simulationAccuracySchema'>> => this.#get('/v1/simulations/accuracy'),
  };

  readonly approvals = {
    open: (planId: string, body: In<'openApprovalRequestSchema'> = {}): Promise<Of<'approvalRequestSchema'>> =>
      this.#post(at`/v1/plans/${planId}/approval-requests`, body),
    list: (query: Query = {}): Promise<Of<'approvalRequestListSchema'>> => this.#get('/v1/approval-requests', query),
    get: (id: string): Promise<Of<'approvalRequestDetailSchema'>> => this.#get(at`/v1/approval-requests/${id}`),
    review: (id: string, body: In<'reviewSchema'>): Promise<Of<'approvalRequestSchema'>> =>
      this.#post(at`/v1/approval-requests/${id}/reviews`, body),
    withdraw: (id: string): Promise<Of<'approvalRequestSchema'>> =>
      this.#post(at`/v1/approval-requests/${id}/withdraw`),
    /** Who could review it now. */
    reviewers: (id: string): Promise<Of<'possibleReviewersSchema'>> =>
      this.#get(at`/v1/approval-requests/${id}/reviewers`),
    /** What people asked to be changed of the revisions of a task. */
    changesAsked: (taskId: string): Promise<Of<'changesAskedListSchema'>> =>
      this.#get(at`/v1/tasks/${taskId}/changes-asked`),
    /** What waits for the caller: riskiest first, then by time left. */
    queue: (page: PageQuery = {}): Promise<Of<'queueSchema'>> => this.#get('/v1/queue', { ...page }),
    /** Says for 15 minutes that the caller is looking at it; it keeps nobody from reviewing. */
    claim: (id: string): Promise<Of<'approvalRequestSchema'>> => this.#post(at`/v1/approval-requests/${id}/claim`),
    release: (id: string): Promise<void> => this.#send('DELETE', at`/v1/approval-requests/${id}/claim`),
    /** A screen shows it to the caller; the first time is kept. */
    seen: (id: string): Promise<void> => this.#post(at`/v1/approval-requests/${id}/seen`),
    /** How people decide, by tool or by agent. */
    statistics: (query: In<'approvalStatisticsQuerySchema'>): Promise<Of<'approvalStatisticsSchema'>> =>
      this.#get('/v1/approval-statistics', query),
  };

  /** What is said of requests and changes without deciding on them. */
  readonly comments = {
    onRequest: (id: string, body: string): Promise<Of<'commentSchema'>> =>
      this.#post(at`/v1/approval-requests/${id}/comments`, { body }),
    onChange: (id: string, body: string): Promise<Of<'commentSchema'>> =>
      this.#post(at`/v1/changes/${id}/comments`, { body }),
    /** In the order in which they were written. */
    ofRequest: (id: string, page: PageQuery = {}): Promise<Of<'commentPageSchema'>> =>
      this.#get(at`/v1/approval-requests/${id}/comments`, { ...page }),
    ofChange: (id: string, page: PageQuery = {}): Promise<Of<'commentPageSchema'>> =>
      this.#get(at`/v1/changes/${id}/comments`, { ...page }),
    /** Those that concern the caller and were not read yet, newest first. */
    unread: (page: PageQuery = {}): Promise<Of<'unreadCommentPageSchema'>> =>
      this.#get('/v1/unread-comments', { ...page }),
    /** The caller has read what was said of it. */
    readOfRequest: (id: string): Promise<void> => this.#post(at`/v1/approval-requests/${id}/comments/read`),
    readOfChange: (id: string): Promise<void> => this.#post(at`/v1/changes/${id}/comments/read`),
  };

  /** Who stands in for whom. */
  readonly absences = {
    begin: (body: In<'newAbsenceSchema'>): Promise<Of<'absenceSchema'>> => this.#post('/v1/absences', body),
    list: (page: PageQuery = {}): Promise<Of<'absencePageSchema'>> => this.#get('/v1/absences', { ...page }),
    end: (id: string): Promise<void> => this.#send('DELETE', at`/v1/absences/${id}`),
  };

  /** The caller's second factors. Changing them needs a step-up once there is one. */
  readonly factors = {
    list: (): Promise<Of<'factorListSchema'>> => this.#get('/v1/factors'),
    /** Public keys of passkeys, a person's or everybody's, as lines for `countersign verify --approver-keys`. */
    approverKeys: (personId?: string): Promise<Of<'approverKeyListSchema'>> =>
      this.#get('/v1/approver-keys', { person_id: personId }),
    /** Offers a secret for an authenticator app; it counts once a code of it was confirmed. */
    enrolTotp: (body: In<'enrolTotpSchema'> = {}): Promise<Of<'totpOfferSchema'>> =>
      this.#post('/v1/factors/totp', body),
    confirmTotp: (id: string, code: string): Promise<Of<'factorEnrolledSchema'>> =>
      this.#post(at`/v1/factors/totp/${id}/confirm`, { code }),
    /** What a browser is asked for a new passkey; `registerPasskey` takes its answer. */
    passkeyOptions: (body: In<'passkeyOptionsRequestSchema'> = {}): Promise<Of<'passkeyRegistrationOptionsSchema'>> =>
      this.#post('/v1/factors/passkeys/options', body),
    registerPasskey: (body: In<'registerPasskeySchema'>): Promise<Of<'factorEnrolledSchema'>> =>
      this.#post('/v1/factors/passkeys', body),
    renewRecoveryCodes: (body: In<'renewRecoveryCodesSchema'>): Promise<Of<'recoveryCodesSchema'>> =>
      this.#post('/v1/factors/recovery-codes', body),
    remove: (id: string, stepUpId?: string): Promise<void> =>
      this.transport.json('DELETE', at`/v1/factors/${id}`, { query: { step_up_id: stepUpId } }),
    /** Takes somebody else's factors away who lost them; for admins. */
    reset: (personId: string, reason: string): Promise<MayWait<Of<'factorsResetSchema'>>> =>
      this.#post(at`/v1/people/${personId}/factors/reset`, { reason }),
  };

  /** Proofs of a second factor, each for one operation, which then carries the step-up's id as step_up_id. */
  readonly stepUps = {
    start: (operation: In<'steppedUpOperationSchema'>): Promise<Of<'stepUpSchema'>> =>
      this.#post('/v1/step-ups', { operation }),
    prove: (id: string, proof: In<'proveStepUpSchema'>): Promise<Of<'stepUpProofSchema'>> =>
      this.#post(at`/v1/step-ups/${id}/proof`, proof),
  };

  readonly runs = {
    /** Starts a plan that is approved, or needs no approval; otherwise it is refused with the policy's reasons. */
    start: (planId: string): Promise<Of<'runSchema'>> => this.#post(at`/v1/plans/${planId}/runs`),
    list: (query: Query = {}): Promise<Of<'runPageSchema'>> => this.#get('/v1/runs', query),
    get: (id: string): Promise<Of<'runDetailSchema'>> => this.#get(at`/v1/runs/${id}`),
    pause: (id: string, note?: string): Promise<Of<'runSchema'>> => this.#post(at`/v1/runs/${id}/pause`, { note }),
    resume: (id: string, note?: string): Promise<Of<'runSchema'>> => this.#post(at`/v1/runs/${id}/resume`, { note }),
    cancel: (id: string, note?: string): Promise<Of<'runSchema'>> => this.#post(at`/v1/runs/${id}/cancel`, { note }),
    rollBack: (id: string, note?: string): Promise<Of<'runSchema'>> =>
      this.#post(at`/v1/runs/${id}/roll-back`, { note }),
    resolve: (id: string, stepId: string, body: In<'resolveUnknownSchema'>): Promise<Of<'runSchema'>> =>
      this.#post(at`/v1/runs/${id}/steps/${stepId}/resolve`, body),
    /** The calls of a run that its agent carries out itself, each with its grant. */
    work: (id: string): Promise<Of<'runWorkSchema'>> => this.#get(at`/v1/runs/${id}/work`),
    /** What came of such a call. */
    report: (id: string, attemptId: string, body: In<'reportAttemptSchema'>): Promise<Of<'runSchema'>> =>
      this.#post(at`/v1/runs/${id}/attempts/${attemptId}/report`, body),
    /** What happens, as it happens; ends when the run has ended. */
    events: (id: string, signal?: AbortSignal): AsyncGenerator<Of<'runEventSchema'>, void> =>
      this.#runEvents(id, signal),
  };

  /** Executes a plan at once, past approval, with a step-up for exactly this; opens an incident. */
  readonly breakGlass = {
    availability: (planId: string): Promise<Of<'breakGlassAvailabilitySchema'>> =>
      this.#get('/v1/break-glass/availability', { plan_id: planId }),
    check: (body: In<'checkBreakGlassSchema'>): Promise<Of<'breakGlassAvailabilitySchema'>> =>
      this.#post('/v1/break-glass/availability', body),
    invoke: (body: In<'invokeBreakGlassSchema'>): Promise<Of<'breakGlassInvokedSchema'>> =>
      this.#post('/v1/break-glass', body),
  };

  readonly incidents = {
    list: (query: Query = {}): Promise<Of<'incidentListSchema'>> => this.#get('/v1/incidents', query),
    get: (id: string): Promise<Of<'incidentDetailSchema'>> => this.#get(at`/v1/incidents/${id}`),
    acknowledge: (id: string, body: In<'acknowledgeIncidentSchema'>): Promise<Of<'incidentSchema'>> =>
      this.#post(at`/v1/incidents/${id}/acknowledge`, body),
    note: (id: string, body: In<'noteIncidentSchema'>): Promise<Of<'incidentSchema'>> =>
      this.#post(at`/v1/incidents/${id}/notes`, body),
    resolve: (id: string, body: In<'resolveIncidentSchema'>): Promise<Of<'incidentSchema'>> =>
      this.#post(at`/v1/incidents/${id}/resolve`, body),
    review: (id: string, body: In<'reviewIncidentSchema'>): Promise<Of<'incidentSchema'>> =>
      this.#post(at`/v1/incidents/${id}/review`, body),
  };

  readonly halts = {
    create: (body: In<'createHaltSchema'>): Promise<Of<'haltSchema'>> => this.#post('/v1/halts', body),
    list: (query: Query = {}): Promise<Of<'haltListSchema'>> => this.#get('/v1/halts', query),
    lift: (id: string, body: In<'liftHaltSchema'>): Promise<Of<'haltSchema'>> =>
      this.#post(at`/v1/halts/${id}/lift`, body),
  };

  readonly toolCalls = {
    /** Whether this call could be made now without a plan; a deny is an answer, too. */
    authorize: (body: In<'authorizeToolCallSchema'>): Promise<Of<'toolCallAuthorizationSchema'>> =>
      this.transport.json('POST', '/v1/tool-calls/authorize', { body }),
  };

  /** What policy decided, newest first; with the scope audit. */
  readonly decisions = {
    list: (query: Query = {}): Promise<Of<'loggedDecisionPageSchema'>> => this.#get('/v1/decisions', query),
    get: (id: string): Promise<Of<'loggedDecisionSchema'>> => this.#get(at`/v1/decisions/${id}`),
    /** The same as OPA logs its own. */
    log: (query: Query = {}): Promise<Of<'opaDecisionPageSchema'>> => this.#get('/v1/decision-log', query),
  };

  readonly incidentSettings = {
    get: (): Promise<Of<'incidentSettingsSchema'>> => this.#get('/v1/incident-settings'),
    put: (body: In<'incidentSettingsSchema'>): Promise<MayWait<Of<'incidentSettingsSetSchema'>>> =>
      this.#send('PUT', '/v1/incident-settings', body),
    destinations: (): Promise<Of<'destinationListSchema'>> => this.#get('/v1/incident-destinations'),
    /** Sends a test message to every address of every destination now. */
    test: (): Promise<Of<'destinationListSchema'>> => this.#post('/v1/incident-destinations/tests', {}),
  };

  readonly slack = {
    get: (): Promise<Of<'slackSettingsSchema'>> => this.#get('/v1/slack'),
    putRoutes: (body: In<'slackRoutesSchema'>): Promise<MayWait<Of<'slackSettingsSchema'>>> =>
      this.#send('PUT', '/v1/slack/routes', body),
    putApp: (body: In<'slackAppSchema'>): Promise<MayWait<Of<'slackSettingsSchema'>>> =>
      this.#send('PUT', '/v1/slack/app', body),
    /** Where to send the admin's browser, once and within ten minutes. */
    install: (): Promise<Of<'slackInstallSchema'>> => this.#send('GET', '/v1/slack/install'),
    /** Forgets the workspace and the bot's token. */
    remove: (): Promise<void> => this.#send('DELETE', '/v1/slack/installation'),
    /** The Slack users that are the caller. */
    links: (): Promise<Of<'slackLinkListSchema'>> => this.#get('/v1/slack/links'),
  };

  /** What people were to be told. */
  readonly outbox = {
    list: (query: Query = {}): Promise<Of<'outboxPageSchema'>> => this.#get('/v1/outbox', query),
    retry: (id: string): Promise<Of<'outboxMessageSchema'>> => this.#post(at`/v1/outbox/${id}/retry`),
  };

  readonly reports = {
    productionChanges: (query: Query = {}): Promise<Of<'productionChangeReportSchema'>> =>
      this.#get('/v1/reports/production-changes', query),
    /** All of the period, as CSV. */
    productionChangesCsv: async (query: Query = {}): Promise<string> =>
      (await this.transport.request('GET', '/v1/reports/production-changes', { accept: 'text/csv', query })).text,
  };

  readonly audit = {
    entries: (query: Query = {}): Promise<Of<'auditEntryPageSchema'>> => this.#get('/v1/audit/entries', query),
    /** The actions that the log holds entries of. */
    actions: (): Promise<Of<'auditActionListSchema'>> => this.#get('/v1/audit/actions'),
    /** Every entry that the filters find, newest first, piece by piece: CSV, or JSON, an entry a line. */
    export: (format: 'csv' | 'jsonl', query: Query = {}): AsyncIterable<string> =>
      this.transport.pieces('/v1/audit/export', { ...query, format }, '*/*'),
    entry: (id: string): Promise<Of<'provenAuditEntrySchema'>> => this.#get(at`/v1/audit/entries/${id}`),
    retention: (): Promise<Of<'retentionSchema'>> => this.#get('/v1/audit/retention'),
    /** To keep a level less long waits for a second person. */
    setRetention: (body: In<'retentionSchema'>): Promise<MayWait<Of<'retentionSetSchema'>>> =>
      this.#send('PUT', '/v1/audit/retention', body),
    checkpoint: (): Promise<Of<'checkpointSchema'>> => this.#get('/v1/audit/checkpoint'),
    keys: (): Promise<Of<'auditKeyListSchema'>> => this.#get('/v1/audit/keys'),
    /** Puts a new signing key in the place of the current one, which stays in the history; it waits for a second person. */
    rotateKey: (): Promise<MayWait<Of<'auditKeyRotatedSchema'>>> => this.#post('/v1/audit/keys'),
    /** After a restore from a backup; it waits for a second person. */
    startEpoch: (body: In<'startEpochSchema'>): Promise<MayWait<Of<'epochSchema'>>> =>
      this.#post('/v1/audit/epochs', body),
    consistency: (query: { epoch: number; first: number; second?: number }): Promise<Of<'consistencyProofSchema'>> =>
      this.#get('/v1/audit/consistency', query),
    /** The evidence pack of a plan, to be kept byte for byte. */
    evidence: async (planId: string, held: readonly string[] = []): Promise<string> =>
      (await this.transport.request('POST', at`/v1/plans/${planId}/evidence`, { body: { held } })).text,
    /** The same of a change of the guardrails. */
    changeEvidence: async (changeId: string, held: readonly string[] = []): Promise<string> =>
      (await this.transport.request('POST', at`/v1/changes/${changeId}/evidence`, { body: { held } })).text,
  };

  /** Follows the stream until it says that the run has ended; after a broken connection from the last event it saw. */
  async *#runEvents(id: string, signal?: AbortSignal): AsyncGenerator<Of<'runEventSchema'>, void> {
    let last: string | null = null;
    let broken = 0;
    while (signal?.aborted !== true) {
      try {
        for await (const event of this.transport.events(at`/v1/runs/${id}/events`, last, signal)) {
          if (event.type === 'end') return;
          last = event.id;
          broken = 0;
          yield event.data as Of<'runEventSchema'>;
        }
      } catch (error) {
        broken += 1;
        const refused = error instanceof CountersignError && error.status >= 400 && error.status < 500;
        if (refused || broken > STREAM_RETRIES) throw error;
        await delay(STREAM_PAUSE_MS);
      }
    }
  }

  #get<Body>(path: string, query: Query = {}): Promise<Body> {
    return this.transport.json('GET', path, { query });
  }

  #post<Body>(path: string, body?: unknown): Promise<Body> {
    return this.transport.json('POST', path, { body });
  }

  #send<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    return this.transport.json(method, path, { body });
  }

  #yaml<Body>(path: string, yaml: string, dryRun: boolean, ifMatch?: string): Promise<Body> {
    const match = ifMatch === undefined ? {} : { ifMatch };
    return this.transport.json('PUT', path, { yaml, query: dryRun ? { dry_run: true } : {}, ...match });
  }
}
