import { z } from 'zod';
import {
  APPROVAL_STATES,
  approvalBindingSchema,
  digestSchema,
  expandedPlanSchema,
  MFA_METHODS,
  planSimulationResultSchema,
  SIMULATION_STATES,
  timestampSchema,
  TOOL_LEVELS,
  uuidSchema,
  VERDICTS,
  CONFIRM_WORD,
  decisionSchema,
  EXCLUSIONS,
} from '#lib/formats';
import { pageOf, pageQuerySchema } from './shared-schemas.js';
import { autonomyLineSchema } from './decision.js';
import { agentWordsAnswer, planDescriptionSchema, shownLineSchema } from './plan-description.js';
import { planDiffSchema } from './plan.js';
import { workFilterShape } from './work-filter.js';

export const openApprovalRequestSchema = z
  .strictObject({
    start: z.enum(['on_approval', 'manual', 'at']).default('on_approval'),
    start_at: z.iso.datetime().optional(),
  })
  .refine((body) => (body.start === 'at') === (body.start_at !== undefined), {
    message: '"start_at" goes with start "at", and only with it',
    path: ['start_at'],
  })
  .meta({ id: 'OpenApprovalRequest' });
export type OpenApprovalRequestBody = z.infer<typeof openApprovalRequestSchema>;

export const reviewSchema = z
  .strictObject({
    verdict: z.enum(VERDICTS),
    comment: z
      .string()
      .max(4_000)
      .optional()
      .meta({ description: 'Needed to reject a plan or to request changes; a call is rejected with or without it.' }),
    subject_digest: digestSchema.meta({
      description: 'The digest of the plan or of the call that you saw: `subject.digest` of the request.',
    }),
    step_up_id: uuidSchema
      .optional()
      .meta({ description: 'A step-up that was proved for this verdict; needed if the request obliges to MFA.' }),
    confirm_word: z
      .string()
      .max(40)
      .optional()
      .meta({ description: 'The word of the obligations of the request, if it names one; needed to approve.' }),
    always: z.boolean().optional().meta({
      description: 'Approves later calls of this shape in the session too, if the session alone asks about this one.',
    }),
  })
  .meta({ id: 'SubmitReview' });
export type SubmitReviewBody = z.infer<typeof reviewSchema>;

/** The parts of the list of requests that people turn to. */
export const REQUEST_TABS = ['for_me', 'open', 'decided_by_me', 'all'] as const;
export type RequestTab = (typeof REQUEST_TABS)[number];

/** Which approval requests a list holds. */
export const approvalRequestQuerySchema = pageQuerySchema.extend({
  ...workFilterShape,
  tab: z.enum(REQUEST_TABS).default('all').meta({
    description:
      'for_me: open, policy lets the caller approve it now, and they have not reviewed it. open: of everybody. decided_by_me: the caller has reviewed it.',
  }),
  state: z.enum(APPROVAL_STATES).optional(),
  plan_id: uuidSchema.optional(),
  task_id: uuidSchema.optional(),
  reviewable: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'Only open requests that policy lets the caller approve now.' }),
});
export type ApprovalRequestQuery = z.infer<typeof approvalRequestQuerySchema>;

const reasonedSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
});

const personSchema = z.object({ id: uuidSchema, display_name: z.string() });

const reviewViewSchema = z
  .object({
    id: uuidSchema,
    request_id: uuidSchema,
    person: personSchema,
    verdict: z.enum(VERDICTS),
    always: z.boolean().meta({ description: 'Whether it holds for later calls of its shape in the session, too.' }),
    confirm_word: z.literal(CONFIRM_WORD).nullable().meta({
      description: 'The word that the reviewer typed; null if the request takes none, or they did not approve.',
    }),
    comment: z.string(),
    roles: z.array(z.string()).meta({ description: 'The roles that counted.' }),
    stands_in_for: personSchema
      .nullable()
      .meta({ description: 'The person who delegated the roles; null: their own.' }),
    known_by: z
      .array(z.string())
      .meta({ description: 'The means by which the reviewer was known when they reviewed, in words.' }),
    shares_vote_with: z
      .array(personSchema)
      .meta({ description: 'The people who share one vote with the reviewer: together they count once.' }),
    subject_digest: digestSchema,
    decision_id: uuidSchema,
    created_at: timestampSchema,
    replaced_at: timestampSchema.nullable().meta({ description: 'When the same person reviewed again.' }),
    mfa_method: z
      .enum(MFA_METHODS)
      .nullable()
      .meta({ description: 'How they proved a second factor; only a passkey signs. Null: not at all.' }),
  })
  .meta({ id: 'Review' });
export type ReviewView = z.infer<typeof reviewViewSchema>;

export const reviewListSchema = z.object({ items: z.array(reviewViewSchema) }).meta({ id: 'ReviewList' });

const quorumSchema = z
  .object({
    complete: z.boolean(),
    filled: z.array(
      z.object({
        slot: z.int(),
        roles: z.array(z.string()).meta({ description: 'The roles that fill the slot.' }),
        as: z.array(z.string()).meta({ description: 'Those of them by which the person filled it.' }),
        person: personSchema,
      }),
    ),
    open: z.array(z.object({ slot: z.int(), roles: z.array(z.string()), count: z.int().min(1) })),
  })
  .meta({ id: 'Quorum', description: 'Each slot takes a number of distinct people; nobody fills two.' });

/** A person's claim that they look at a request. */
const claimSchema = z
  .object({ person: personSchema, claimed_at: timestampSchema, expires_at: timestampSchema })
  .meta({ id: 'Claim', description: 'A hint to others: everybody who may review still may.' });
export type ClaimView = z.infer<typeof claimSchema>;

const shownDigest = digestSchema.meta({
  description: 'The digest of the request as it is shown. Send it with a review, as subject_digest.',
});

const askedPlanSchema = z
  .object({
    type: z.literal('plan'),
    id: uuidSchema,
    digest: shownDigest,
    task_id: uuidSchema,
    simulation_id: uuidSchema.nullable(),
    phases: z
      .enum(['all', 'canary', 'promotion'])
      .meta({ description: 'The phases that would run; promotion is the rest after a canary.' }),
  })
  .meta({ id: 'AskedPlan' });

const askedCallSchema = z
  .object({
    type: z.literal('tool_call'),
    id: uuidSchema,
    digest: shownDigest,
    session_id: uuidSchema.nullable().meta({ description: 'The session of the call; null for a call by itself.' }),
  })
  .meta({ id: 'AskedCall', description: 'A single call that waits. People approve or reject it.' });

/** The subject that people are asked about, with the members of its kind. */
const askedSubjectSchema = z
  .discriminatedUnion('type', [askedPlanSchema, askedCallSchema])
  .meta({ id: 'AskedSubject' });

/** A call as lists show it. */
const listedCallSchema = z.object({
  tool: z.string(),
  category: z.string().meta({ description: 'The kind of work, such as workspace-write.' }),
  impact: z.string().meta({ description: 'The effect in one line, from the call alone.' }),
  said_by_the_requester: z
    .object({ reason: z.string() })
    .nullable()
    .meta({ description: "The requester's own words. They decide nothing, and nothing here is checked against them." }),
});

/** An approval request as lists hold it. */
export const approvalRequestSchema = z
  .object({
    id: uuidSchema,
    subject: askedSubjectSchema,
    state: z.enum(APPROVAL_STATES),
    closed_reason: reasonedSchema.nullable(),
    headline: z.string().meta({ description: 'The effect of the plan or call in one line.' }),
    risk: z.enum(TOOL_LEVELS).meta({ description: 'The level of the riskiest tool that would run.' }),
    claim: claimSchema.nullable().meta({ description: 'The person who looks at it now.' }),
    binding: approvalBindingSchema,
    binding_digest: digestSchema,
    decision: decisionSchema.meta({
      description: 'The reason why people are asked.',
    }),
    autonomy_line: autonomyLineSchema
      .nullable()
      .meta({ description: 'The path of the mode of the decision, in the revision then in force.' }),
    decision_id: uuidSchema,
    bundle_revision: z.string(),
    autonomy_revision_id: uuidSchema.nullable(),
    requester: z.object({ kind: z.enum(['agent', 'person']), id: uuidSchema, on_behalf_of: uuidSchema.nullable() }),
    excluded: z
      .array(
        z.object({
          person_id: uuidSchema,
          why: z.enum(EXCLUSIONS),
          shares_with: uuidSchema
            .optional()
            .meta({ description: 'For same_hand: the other person of the shared vote.' }),
        }),
      )
      .meta({ description: 'The people who can never review it.' }),
    quorum: quorumSchema,
    start: z.enum(['on_approval', 'manual', 'at']),
    start_at: timestampSchema.nullable(),
    start_after: timestampSchema
      .nullable()
      .meta({ description: 'Until when a freeze holds back the start that comes by itself.' }),
    opened_at: timestampSchema,
    expires_at: timestampSchema,
    approved_at: timestampSchema.nullable(),
    approval_expires_at: timestampSchema.nullable(),
    closed_at: timestampSchema.nullable(),
    seconds_left: z.int().min(0).nullable().meta({ description: 'To decide while open, to start while approved.' }),
  })
  .meta({ id: 'ApprovalRequest' });
export type ApprovalRequestView = z.infer<typeof approvalRequestSchema>;

/** The changes that a person asked for in a revision. */
const changesAskedSchema = z
  .object({
    request_id: uuidSchema,
    plan_id: uuidSchema,
    revision: z.int().min(1),
    person: personSchema,
    comment: z.string(),
    created_at: timestampSchema,
  })
  .meta({ id: 'ChangesAsked' });
export type ChangesAskedView = z.infer<typeof changesAskedSchema>;

export const changesAskedListSchema = z.object({ items: z.array(changesAskedSchema) }).meta({ id: 'ChangesAskedList' });
export type ChangesAskedList = z.infer<typeof changesAskedListSchema>;

/** The people who could review an open request now. */
export const possibleReviewersSchema = z
  .object({
    items: z.array(
      personSchema.extend({ known_by: z.array(z.string()).meta({ description: 'In words, how they are known.' }) }),
    ),
    more: z.int().min(0).meta({ description: 'How many further people could.' }),
  })
  .meta({ id: 'PossibleReviewers', description: 'Empty once the request is closed.' });
export type PossibleReviewersView = z.infer<typeof possibleReviewersSchema>;

const neighbourSchema = z.object({
  request_id: uuidSchema,
  revision: z.int().min(1),
  state: z.enum(APPROVAL_STATES),
});

/** An approval request with everything its approvers see. */
/** The people who could approve something, one vote a seat, as the server would count them now. */
const reviewerCountSchema = z
  .object({
    enough: z.boolean().meta({ description: 'Whether the people there are could give every approval that it takes.' }),
    needed: z.array(z.object({ count: z.int(), roles: z.array(z.string()) })),
    missing: z
      .array(z.object({ count: z.int(), roles: z.array(z.string()) }))
      .meta({ description: 'The slots that no reviewer can fill.' }),
    second_factor: z.boolean().meta({ description: 'Whether an approval takes a second factor.' }),
    people: z
      .array(z.object({ id: uuidSchema, display_name: z.string() }))
      .meta({ description: 'The people who could approve and have not yet; a hundred at most.' }),
    warning: z
      .string()
      .nullable()
      .meta({ description: 'The reason why too few exist, and the way to get more; null if there are enough.' }),
  })
  .meta({ id: 'ReviewerCount' });
export type ReviewerCountView = z.infer<typeof reviewerCountSchema>;

export const agentReviewersSchema = z
  .object({
    items: z.array(
      reviewerCountSchema.extend({
        environment: z.string(),
        tool: z
          .string()
          .nullable()
          .meta({ description: 'The tool that asks for them by an override; null: any other.' }),
      }),
    ),
  })
  .meta({
    id: 'AgentReviewers',
    description: 'The people who could approve changes of the agent, by production environment that takes approvals.',
  });
export type AgentReviewersView = z.infer<typeof agentReviewersSchema>;

/** Everything that approvers of a subject of any kind see. */
const detailSchema = approvalRequestSchema.extend({
  environment: z.object({ id: uuidSchema, name: z.string(), production: z.boolean() }),
  reviews: z.array(reviewViewSchema),
  may_review: z
    .object({
      outcome: z.enum(['allow', 'deny']),
      reasons: decisionSchema.shape.reasons,
      action: z
        .string()
        .nullable()
        .meta({ description: 'The next action of the reader if their approval is refused or would not count.' }),
      shares_vote_with: z.array(personSchema).meta({
        description: 'The approvers who have one vote together with the reader: a second one would not count.',
      }),
    })
    .meta({ description: 'The decision of policy if the reader approved now.' }),
  ways_to_a_vote: z.string().nullable().meta({
    description: 'How people get a vote of their own; null if no shared vote keeps anybody from this request.',
  }),
  could_approve: reviewerCountSchema
    .nullable()
    .meta({ description: 'The people who could approve now; null once it is closed.' }),
  changed_since_opened: z
    .array(z.object({ member: z.string(), names: z.array(z.string()) }))
    .meta({ description: 'Bound things that have changed: a review would void the request.' }),
});

const planDetailSchema = detailSchema
  .extend({
    subject: askedPlanSchema,
    revision: z.int().min(1),
    said_by_the_requester: z.object({ goal: z.string(), words: agentWordsAnswer }).meta({
      description: "The requester's own words. They decide nothing, and nothing here is checked against them.",
    }),
    description: planDescriptionSchema.meta({ description: 'The calls, as people are shown them.' }),
    plan: expandedPlanSchema,
    simulation: z
      .object({
        id: uuidSchema,
        state: z.enum(SIMULATION_STATES),
        digest: digestSchema,
        result: planSimulationResultSchema,
      })
      .nullable(),
    changes_asked: z
      .array(changesAskedSchema)
      .meta({ description: 'The changes that people asked for of earlier revisions, the earliest first.' }),
    replaces: neighbourSchema.nullable().meta({ description: 'The closed request that this one replaces.' }),
    replaced_by: neighbourSchema
      .nullable()
      .meta({ description: 'The request that took the place of this one, which was closed without a run.' }),
    changes_since_my_review: z
      .object({
        request_id: uuidSchema,
        approved_at: timestampSchema,
        bound: z.array(z.object({ member: z.string(), names: z.array(z.string()) })),
        document: planDiffSchema.shape.document,
        calls: planDiffSchema.shape.calls,
        in_words: planDiffSchema.shape.in_words,
        targets: planDiffSchema.shape.targets,
      })
      .nullable()
      .meta({
        description:
          'The differences from the plan that the reader approved last for this task; null if they approved none.',
      }),
    escalation: z
      .object({
        at: timestampSchema,
        roles: z
          .array(z.string())
          .meta({ description: 'People with these roles are told. The roles give no right to review.' }),
        told: z.boolean(),
      })
      .nullable()
      .meta({ description: 'The destination of further people, if the autonomy document has them told of it.' }),
  })
  .meta({ id: 'PlanRequestDetail' });
export type PlanRequestDetailView = z.infer<typeof planDetailSchema>;

const callDetailSchema = detailSchema
  .extend({
    subject: askedCallSchema,
    call: listedCallSchema.extend({
      version: z.int().min(1),
      executor: z.string().nullable().meta({ description: 'Null if the agent makes the call itself.' }),
      arguments: z.record(z.string(), z.unknown()),
      shell: shownLineSchema
        .nullable()
        .meta({ description: 'The command line among the arguments; null if the tool takes none.' }),
      targets: z.array(z.string()),
      always_covers: z.record(z.string(), z.json()).nullable().meta({
        description:
          'The shape of the later calls in the session that an approval may hold for, too; null if it holds for this call alone.',
      }),
    }),
  })
  .meta({ id: 'CallRequestDetail' });
export type CallRequestDetailView = z.infer<typeof callDetailSchema>;

export const approvalRequestDetailSchema = z
  .union([planDetailSchema, callDetailSchema])
  .meta({ id: 'ApprovalRequestDetail', description: 'By the kind of its subject.' });
export type ApprovalRequestDetailView = z.infer<typeof approvalRequestDetailSchema>;

const listedShape = { environment: z.object({ id: uuidSchema, name: z.string(), production: z.boolean() }) };

const listedPlanShape = {
  ...listedShape,
  subject: askedPlanSchema,
  said_by_the_requester: z.object({ goal: z.string() }).meta({ description: "The requester's own words." }),
};

const listedCallShape = { ...listedShape, subject: askedCallSchema, call: listedCallSchema };

/**
 * The requests that wait for the caller, the riskiest first. Then comes the request with most targets, then the one
 * that ends first.
 */
export const queuedRequestSchema = z
  .union([
    approvalRequestSchema.extend(listedPlanShape).meta({ id: 'QueuedPlanRequest' }),
    approvalRequestSchema.extend(listedCallShape).meta({ id: 'QueuedCallRequest' }),
  ])
  .meta({ id: 'QueuedRequest', description: 'By the kind of its subject.' });
export type QueuedRequestView = z.infer<typeof queuedRequestSchema>;

const listedReviews = {
  reviews: z
    .array(z.object({ person: personSchema, verdict: z.enum(VERDICTS), created_at: timestampSchema }))
    .meta({ description: 'Those that count, in the order they were given.' }),
};

export const listedPlanRequestSchema = approvalRequestSchema
  .extend({ ...listedPlanShape, ...listedReviews })
  .meta({ id: 'ListedPlanRequest' });
export type ListedPlanRequestView = z.infer<typeof listedPlanRequestSchema>;

/** A request of the list: its subject, and the reviews of people on it. */
export const listedRequestSchema = z
  .union([
    listedPlanRequestSchema,
    approvalRequestSchema.extend({ ...listedCallShape, ...listedReviews }).meta({ id: 'ListedCallRequest' }),
  ])
  .meta({ id: 'ListedRequest', description: 'By the kind of its subject.' });
export type ListedRequestView = z.infer<typeof listedRequestSchema>;

export const approvalRequestListSchema = pageOf(listedRequestSchema).meta({ id: 'ApprovalRequestList' });

export const queueSchema = pageOf(queuedRequestSchema).meta({ id: 'Queue' });

export const approvalStatisticsQuerySchema = z
  .strictObject({
    by: z.enum(['tool', 'agent', 'person']),
    from: z.iso.datetime().optional().meta({ description: 'Without it, 30 days before `until`.' }),
    until: z.iso.datetime().optional().meta({ description: 'Without it, now.' }),
  })
  .refine(({ from, until }) => from === undefined || until === undefined || Date.parse(from) < Date.parse(until), {
    message: 'must lie after "from"',
    path: ['until'],
  });
export type ApprovalStatisticsQuery = z.infer<typeof approvalStatisticsQuerySchema>;

const share = z.number().min(0).max(1).nullable();

/** How people decide, so that approvals given unread can be seen. */
export const approvalStatisticsSchema = z
  .object({
    by: z.enum(['tool', 'agent', 'person']),
    from: timestampSchema,
    until: timestampSchema,
    items: z.array(
      z.object({
        key: z.string().meta({ description: "The tool's name, or the id of the agent or the person." }),
        name: z.string(),
        requests: z.int(),
        decided: z.int().meta({
          description: 'Approved, rejected or sent back by people; by person, those that this person reviewed.',
        }),
        median_seconds_to_decision: z.number().nullable(),
        p90_seconds_to_decision: z.number().nullable(),
        approvals: z.int(),
        approvals_after_first_look: z.int().meta({
          description:
            'Approvals by people who had seen the request on a screen; the speed of the others is not known.',
        }),
        approved_under_five_seconds: z.int(),
        share_under_five_seconds: share.meta({ description: 'Of approvals_after_first_look.' }),
        approvals_in_slack: z.int().meta({
          description: 'Given by a button in Slack, for which the time of the first look is not known.',
        }),
        approved_in_slack_within_five_seconds_of_message: z.int().meta({
          description: 'Of approvals_in_slack, counted from the post of the message: at least so many were as fast.',
        }),
        overridden: z.int().meta({ description: 'Rejected or sent back.' }),
        override_rate: share.meta({ description: 'overridden of decided: how often people do not follow the agent.' }),
        rejected: z.int(),
        reject_rate: share.meta({ description: 'rejected of decided.' }),
      }),
    ),
  })
  .meta({ id: 'ApprovalStatistics' });
export type ApprovalStatistics = z.infer<typeof approvalStatisticsSchema>;

/** A person hands reviewing roles to another while they are away. */
export const newAbsenceSchema = z
  .strictObject({
    delegate_id: uuidSchema.meta({ description: 'The person who stands in.' }),
    roles: z
      .array(z.string().min(1).max(63))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: "Absent: all of the caller's." }),
    from: z.iso.datetime().optional().meta({ description: 'Absent: at once.' }),
    until: z.iso.datetime(),
  })
  .meta({ id: 'NewAbsence' });
export type NewAbsenceBody = z.infer<typeof newAbsenceSchema>;

export const absenceSchema = z
  .object({
    id: uuidSchema,
    person: personSchema.meta({ description: 'The person who is away.' }),
    delegate: personSchema.meta({ description: 'The person who stands in.' }),
    roles: z.array(z.string()),
    from: timestampSchema,
    until: timestampSchema,
    created_at: timestampSchema,
    ended_at: timestampSchema.nullable().meta({ description: 'When it was taken back early.' }),
    in_force: z.boolean(),
  })
  .meta({ id: 'Absence' });
export type AbsenceView = z.infer<typeof absenceSchema>;

export const absencePageSchema = pageOf(absenceSchema).meta({ id: 'AbsencePage' });
