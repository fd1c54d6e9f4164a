/** Nest's injection token for the `NoticeSource`s of an installation: a list, one for each kind of thing. */
export const NOTICE_SOURCES = Symbol('NoticeSources');
/** Nest's injection token for the `SlackFollower`. */
export const SLACK_FOLLOWER = Symbol('SlackFollower');
/** Nest's injection token for the `ThreadReplies`. */
export const THREAD_REPLIES = Symbol('ThreadReplies');
