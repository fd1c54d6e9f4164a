import { problemIn, type Problem } from '#lib/client';

/** A refusal of the API, as it said it; status 0 if the API could not be reached. */
export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }

  get code(): string {
    return this.problem.code;
  }

  get status(): number {
    return this.problem.status;
  }
}

/** The refusal to show if no answer came at all. */
export const unreachable = (): ApiError =>
  new ApiError({
    type: 'urn:countersign:problem:web.unreachable',
    title: 'No answer',
    status: 0,
    detail: 'Countersign could not be reached.',
    code: 'web.unreachable',
    action: 'Check the network. Nothing was changed as far as this page knows; try again.',
    instance: '',
  });

/** The refusal to show if an event of a stream is longer than this page keeps. */
export const eventTooLong = (detail: string): ApiError =>
  new ApiError({
    type: 'urn:countersign:problem:web.event_too_long',
    title: 'An event too long',
    status: 0,
    detail,
    code: 'web.event_too_long',
    action: 'No later events are shown here. Tell the person who runs Countersign here.',
    instance: '',
  });

/** The refusal to show if an event of a stream is none of those that this page knows. */
export const eventUnknown = (): ApiError =>
  new ApiError({
    type: 'urn:countersign:problem:web.event_unknown',
    title: 'An unknown event',
    status: 0,
    detail: 'An event came that this page does not know, and is not shown.',
    code: 'web.event_unknown',
    action: 'Reload the page.',
    instance: '',
  });

/** The refusal to show if another program answered, such as a proxy. */
export const notOurs = (status: number): ApiError =>
  new ApiError({
    type: 'urn:countersign:problem:web.unexpected_answer',
    title: 'An answer that Countersign did not give',
    status,
    detail: `Something between this page and Countersign answered with ${String(status)}.`,
    code: 'web.unexpected_answer',
    action: 'Try again; if that fails too, tell the person who runs Countersign here.',
    instance: '',
  });

/** The refusal in an answer, if Countersign gave it. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const problem = problemIn(await response.json().catch(() => null), response.headers);
  return problem === null ? notOurs(response.status) : new ApiError(problem);
}
