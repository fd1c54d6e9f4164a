-- New messages go before replies, and edits have a pace of their own: Slack limits chat.postMessage to a message a second in
-- each channel, and chat.update by the workspace.

alter table slack_pace add column new_until timestamptz not null default '-infinity';
comment on table slack_pace is 'The pace of calls to Slack, over all workers: posts by channel, edits by workspace.';
comment on column slack_pace.channel_id is 'The channel; * for edits, which share one pace in the workspace.';
comment on column slack_pace.free_at is 'From when the next call may be made. A past time is calls saved up, where bursts are allowed.';
comment on column slack_pace.queued_until is 'Until when those that wait have been told to come back; replies, if it is a channel.';
comment on column slack_pace.new_until is 'Until when new messages that wait have the channel; a reply comes after them.';
