import type { ApprovalDemand, EnvironmentDemand } from '#lib/autonomy';
import { ANY_ROLE } from '#lib/formats';
import { standingsIn } from '#lib/identity';
import {
  err,
  notFound,
  ok,
  type AgentId,
  type ApprovalRequestId,
  type PersonId,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { ApprovalRequest, Review, Reviewable } from '../domain/approval-request.js';
import { approversIn } from '../domain/decide-review.js';
import { withEnrollers } from '../domain/excluded-people.js';
import { NO_CREDENTIAL, readerOf } from '../domain/reader-of.js';
import { countVotes, shortageInWords, type ReviewerCount } from '../domain/count-votes.js';
import { sharesVote } from '../domain/ways-out.js';
import type { People, RecordedReview, ReviewerCensus } from './approval.ports.js';
import type { AskReview, Question } from './ask-review.js';

/** The people who could approve something, with names. */
export interface CountedReviewers extends ReviewerCount {
  readonly secondFactor: boolean;
  readonly named: readonly { readonly id: PersonId; readonly displayName: string }[];
  /** The reason why too few exist, and the next step; null if enough do. */
  readonly warning: string | null;
}

/** The people who could approve an agent's changes in one production environment. */
export interface ReviewersOfAgent extends CountedReviewers {
  readonly environment: string;
  /** The tool with an override that asks for these people; null for tools without one. */
  readonly tool: string | null;
}

/**
 * Counts the people who could approve. Policy is asked about each as if they reviewed now. Their votes are matched as
 * those of real reviews are. It decides nothing, and nothing is recorded.
 */
export class CountReviewers {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly people: People,
    private readonly census: ReviewerCensus,
    private readonly asking: AskReview,
    private readonly demand: Pick<ApprovalDemand, 'inProduction'>,
  ) {}

  /** Failures: `resource.not_found`. Empty if the agent asks nobody, or nothing can be approved in production. */
  ofAgent(reader: Principal, id: AgentId): Promise<Result<readonly ReviewersOfAgent[]>> {
    return this.uow.run(reader.tenantId, async (tx) => {
      const agent = await this.census.agent(tx, id);
      if (agent === null) return err(notFound('agent'));
      const now = await tx.now();
      const answerable = [...new Set([agent.ownerId, ...agent.speakers])];
      const ways = await this.people.waysIn(tx, answerable);
      const excluded = withEnrollers(
        answerable.map((personId) => ({ personId, why: 'owner' })),
        standingsIn(answerable, ways, now),
      );
      const requester = { kind: 'agent', id, onBehalfOf: null, credentialId: NO_CREDENTIAL } as const;
      const demands = agent.asks ? await this.demand.inProduction(tx, now) : [];
      const questions = demands.length === 0 ? [] : await this.#questions(tx);
      const counted: ReviewersOfAgent[] = [];
      for (const demand of demands) {
        const imagined = imaginedRequest(demand, { excluded, requester }, now);
        const what = `requests of ${agent.name} in ${demand.environment.name}${demand.tool === null ? '' : ` that call ${demand.tool}`}`;
        counted.push({
          environment: demand.environment.name,
          tool: demand.tool,
          ...(await this.#count(tx, reader, { request: imagined, reviews: [], what, questions })),
        });
      }
      return ok(counted);
    });
  }

  /** The people who could still approve a request that was read; null for one that is not open. */
  async ofRequest(
    reader: Principal,
    {
      request,
      reviews,
      now,
    }: { readonly request: ApprovalRequest; readonly reviews: readonly RecordedReview[]; readonly now: number },
  ): Promise<CountedReviewers | null> {
    if (request.state !== 'open' || request.expiresAt <= now) return null;
    const counted = reviews.filter(({ replacedAt }) => replacedAt === null);
    return this.uow.run(reader.tenantId, async (tx) =>
      this.#count(tx, reader, {
        request,
        reviews: counted,
        what: 'this request',
        questions: await this.#questions(tx),
      }),
    );
  }

  async #questions(tx: Tx): Promise<readonly Asked[]> {
    const everybody = await this.census.everybody(tx);
    const factors = new Map(everybody.map(({ personId, factor }) => [personId, factor]));
    const questions = await this.asking.questions(
      tx,
      [...factors.keys()].map((personId) => readerOf(tx.tenantId, personId, 'review')),
    );
    return questions.flatMap((question) =>
      question.principal.kind === 'person'
        ? [
            {
              question,
              personId: question.principal.personId,
              factor: factors.get(question.principal.personId) ?? false,
            },
          ]
        : [],
    );
  }

  async #count(tx: Tx, reader: Principal, about: About): Promise<CountedReviewers> {
    const { request, reviews, what, questions } = about;
    const { approvals, mfa } = request.decision.obligations;
    const asked = questions.map((one) => ({ ...one, decision: this.asking.decide(request, one.question) }));
    const able = asked.filter(({ decision }) => decision.outcome === 'allow');
    const withFactor = able.filter(({ factor }) => factor || !mfa);
    const found = countVotes(
      approvals,
      approversIn(reviews),
      withFactor.flatMap(({ question }) => this.asking.seatOf(request, question) ?? []),
    );
    const roles = new Set(approvals.flatMap((slot) => slot.roles));
    const barred = asked.filter(
      ({ decision, question }) =>
        decision.outcome !== 'allow' && question.own.some(({ role }) => roles.has(role) || roles.has(ANY_ROLE)),
    );
    const standing = await this.people.standing(tx, [...found.people, ...asked.map(({ personId }) => personId)]);
    const nameOf = (id: PersonId): string => {
      const person = standing.get(id);
      return (reader.kind === 'person' ? person?.displayName : person?.nameForAgents) ?? 'somebody';
    };
    const named = found.people.map((id) => ({ id, displayName: nameOf(id) }));
    const reviewed = new Set(reviews.map(({ personId }) => personId));
    const stillBarred = barred.filter(({ personId }) => !reviewed.has(personId));
    const warning = shortageInWords(found, {
      what,
      people: named.map(({ displayName }) => displayName),
      barred: stillBarred.map(({ personId }) => nameOf(personId)),
      barredByVote: stillBarred.some(({ decision }) => sharesVote(decision)),
      withoutFactor: able.filter((one) => !withFactor.includes(one)).map(({ personId }) => nameOf(personId)),
    });
    return { ...found, secondFactor: mfa, named, warning };
  }
}

interface Asked {
  readonly question: Question;
  readonly personId: PersonId;
  readonly factor: boolean;
}

interface About {
  readonly request: Reviewable;
  readonly reviews: readonly Review[];
  readonly what: string;
  readonly questions: readonly Asked[];
}

// No request has this id.
const NO_REQUEST = '00000000-0000-7000-8000-000000000000' as ApprovalRequestId;
const AN_HOUR_MS = 3_600_000;

/** A request as the agent would open it now. */
const imaginedRequest = (
  { decision }: EnvironmentDemand,
  { excluded, requester }: Pick<Reviewable, 'excluded' | 'requester'>,
  now: number,
): Reviewable => ({
  id: NO_REQUEST,
  subject: { type: 'plan' },
  state: 'open',
  requester,
  excluded,
  decision,
  // Roles that somebody holds by now count.
  openedAt: now + 1,
  expiresAt: now + AN_HOUR_MS,
});
