import type { PersonId, Principal, TaskId, Tx, UnitOfWork } from '#lib/kernel';
import type { ApprovalRequest } from '../domain/approval-request.js';
import { namesFor } from '../domain/name-people.js';
import type { PersonStanding } from '../domain/policy-inputs.js';
import { changesAskedOf, neighboursOf, type ChangesAsked, type RequestOfTask } from '../domain/task-history.js';
import type { ApprovalRepository, People } from './approval.ports.js';

/** The requests before and after a request. */
export interface RequestHistory {
  /** Of earlier revisions. */
  readonly changesAsked: readonly ChangesAsked[];
  readonly replaces: RequestOfTask | null;
  readonly replacedBy: RequestOfTask | null;
}

/** The requests of a task, one after the other: the changes that people asked for stay visible. */
export class ReadTaskHistory {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly requests: Pick<ApprovalRepository, 'ofTask' | 'reviewsOf'>,
    private readonly people: Pick<People, 'standing'>,
  ) {}

  /** Everything that people asked to be changed, the earliest first. */
  changesAsked(
    by: Principal,
    taskId: TaskId,
  ): Promise<{
    readonly asked: readonly ChangesAsked[];
    readonly people: ReadonlyMap<PersonId, PersonStanding>;
  }> {
    return this.uow.run(by.tenantId, async (tx) => {
      const asked = await this.#asked(tx, await this.requests.ofTask(tx, taskId));
      const people = await this.people.standing(
        tx,
        asked.map(({ personId }) => personId),
      );
      return { asked, people: namesFor(by, people) };
    });
  }

  /** Empty for a request about a call: no other belongs to it. */
  async around(tx: Tx, request: ApprovalRequest): Promise<RequestHistory> {
    if (request.subject.type !== 'plan') return { changesAsked: [], replaces: null, replacedBy: null };
    const all = await this.requests.ofTask(tx, request.subject.taskId);
    const own = all.find(({ id }) => id === request.id);
    const earlier = all.filter(({ revision }) => own !== undefined && revision < own.revision);
    return { changesAsked: await this.#asked(tx, earlier), ...neighboursOf(all, request.id) };
  }

  async #asked(tx: Tx, requests: readonly RequestOfTask[]): Promise<readonly ChangesAsked[]> {
    // A person who asks for changes sends the request back: no other has such a review that counts.
    const sentBack = requests.filter(({ state }) => state === 'changes_requested');
    if (sentBack.length === 0) return [];
    return changesAskedOf(
      sentBack,
      await this.requests.reviewsOf(
        tx,
        sentBack.map(({ id }) => id),
      ),
    );
  }
}
