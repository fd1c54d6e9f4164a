-- A tenant's Slack: its app and workspace, the people linked to Slack users, our messages there, and answers from there.

-- ---------------------------------------------------------------------------------------------------------------
-- The app and its installation
-- ---------------------------------------------------------------------------------------------------------------

create table slack_app (
  tenant_id uuid not null,
  client_id text not null,
  key_id text not null,
  client_secret_nonce bytea not null,
  client_secret bytea not null,
  signing_secret_nonce bytea not null,
  signing_secret bytea not null,
  updated_at timestamptz not null,
  updated_by uuid not null,
  constraint slack_app_pk primary key (tenant_id),
  constraint slack_app_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint slack_app_updated_by_fk foreign key (tenant_id, updated_by) references person (tenant_id, id),
  constraint slack_app_client_id_check check (client_id ~ '^[0-9A-Za-z.]{1,100}$'),
  constraint slack_app_key_id_check check (char_length(key_id) between 1 and 64)
);

comment on table slack_app is 'The Slack app that a tenant made from the manifest; its secrets are encrypted with the tenant authenticated (AES-256-GCM).';
comment on column slack_app.tenant_id is 'The tenant it belongs to.';
comment on column slack_app.client_id is 'As Slack shows it; not secret.';
comment on column slack_app.key_id is 'Which master key encrypts both secrets.';
comment on column slack_app.client_secret_nonce is '96 random bits.';
comment on column slack_app.client_secret is 'Ciphertext and tag; exchanges an OAuth code for the bot''s token.';
comment on column slack_app.signing_secret_nonce is '96 random bits.';
comment on column slack_app.signing_secret is 'Ciphertext and tag of the secret that Slack signs its requests with.';
comment on column slack_app.updated_at is 'When it was last written.';
comment on column slack_app.updated_by is 'The person who wrote it.';

select countersign_protect('slack_app');

create table slack_app_waiting (
  tenant_id uuid not null,
  change_id uuid not null,
  key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  constraint slack_app_waiting_pk primary key (tenant_id, change_id),
  constraint slack_app_waiting_change_fk foreign key (tenant_id, change_id) references change_request (tenant_id, id),
  constraint slack_app_waiting_key_id_check check (char_length(key_id) between 1 and 64)
);

comment on table slack_app_waiting is 'The secrets of a Slack app, or of its installation, that wait for a second person; gone once the change is decided.';
comment on column slack_app_waiting.tenant_id is 'The tenant it belongs to.';
comment on column slack_app_waiting.change_id is 'The change request; it names the digest of the sealed secrets.';
comment on column slack_app_waiting.key_id is 'Which master key encrypts it.';
comment on column slack_app_waiting.nonce is '96 random bits.';
comment on column slack_app_waiting.ciphertext is 'Ciphertext and tag; the tenant is authenticated with it (AES-256-GCM).';

select countersign_protect('slack_app_waiting');

create function slack_app_waiting_forget() returns trigger
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
  as $$
  begin
    delete from slack_app_waiting waiting where waiting.tenant_id = new.tenant_id and waiting.change_id = new.id;
    return null;
  end
  $$;
comment on function slack_app_waiting_forget() is 'Trigger: the kept secrets go with the end of their change.';

create trigger slack_app_waiting_forget after update of state on change_request
  for each row when (new.kind in ('slack_app', 'slack_workspace') and new.state <> 'open')
  execute function slack_app_waiting_forget();

create table slack_install_attempt (
  tenant_id uuid not null,
  id uuid not null,
  state_digest bytea not null,
  created_by uuid not null,
  credential_id uuid not null,
  reason text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint slack_install_attempt_pk primary key (tenant_id, id),
  -- Looked up before a tenant is known, by the digest of 256 random bits.
  constraint slack_install_attempt_digest_key unique (state_digest),
  constraint slack_install_attempt_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  constraint slack_install_attempt_digest_check check (octet_length(state_digest) = 32),
  constraint slack_install_attempt_expires_at_check check (expires_at > created_at),
  constraint slack_install_attempt_used_at_check check (used_at >= created_at and used_at < expires_at),
  constraint slack_install_attempt_credential_fk
    foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint slack_install_attempt_reason_check
    check (reason is null or char_length(reason) between 1 and 4000)
);

comment on table slack_install_attempt is 'An installation under way: Slack hands the state back once, with the code.';
comment on column slack_install_attempt.tenant_id is 'The tenant it belongs to.';
comment on column slack_install_attempt.id is 'UUIDv7.';
comment on column slack_install_attempt.state_digest is 'HMAC-SHA-256 of the state under a key of the keyring.';
comment on column slack_install_attempt.created_by is 'The admin who began it.';
comment on column slack_install_attempt.credential_id is 'The credential it was begun with.';
comment on column slack_install_attempt.reason is 'The reason for another workspace, in the admin''s words; null if they gave no reason.';
comment on column slack_install_attempt.created_at is 'When.';
comment on column slack_install_attempt.expires_at is 'From when it is refused.';
comment on column slack_install_attempt.used_at is 'When Slack came back with it; it works once.';

select countersign_protect('slack_install_attempt');
select countersign_system_reads('slack_install_attempt');

create function slack_install_attempt_by_digest(wanted bytea) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select state.tenant_id, state.id from slack_install_attempt state where state.state_digest = wanted;
  end;
select countersign_system_function('slack_install_attempt_by_digest(bytea)');
comment on function slack_install_attempt_by_digest(bytea) is 'The installation under way with this state.';

create table slack_installation (
  tenant_id uuid not null,
  id uuid not null,
  team_id text not null,
  team_name text not null,
  app_id text not null,
  bot_user_id text not null,
  scopes text not null,
  key_id text not null,
  bot_token_nonce bytea not null,
  bot_token bytea not null,
  installed_at timestamptz not null,
  installed_by uuid not null,
  constraint slack_installation_pk primary key (tenant_id, id),
  constraint slack_installation_tenant_key unique (tenant_id),
  -- A request of Slack names the app and the workspace, and no tenant.
  constraint slack_installation_app_team_key unique (app_id, team_id),
  constraint slack_installation_installed_by_fk foreign key (tenant_id, installed_by) references person (tenant_id, id),
  constraint slack_installation_team_id_check check (team_id ~ '^[A-Z0-9]{1,32}$'),
  constraint slack_installation_app_id_check check (app_id ~ '^[A-Z0-9]{1,32}$')
);

comment on table slack_installation is 'The workspace in which a tenant''s Slack app is installed; one a tenant.';
comment on column slack_installation.tenant_id is 'The tenant it belongs to.';
comment on column slack_installation.id is 'UUIDv7.';
comment on column slack_installation.team_id is 'The workspace, in Slack''s words the team.';
comment on column slack_installation.team_name is 'As people read it.';
comment on column slack_installation.app_id is 'The app, as Slack names it in its requests.';
comment on column slack_installation.bot_user_id is 'The bot, as the author of its messages.';
comment on column slack_installation.scopes is 'The bot''s rights, as Slack gave them.';
comment on column slack_installation.key_id is 'Which master key encrypts the token.';
comment on column slack_installation.bot_token_nonce is '96 random bits.';
comment on column slack_installation.bot_token is 'Ciphertext and tag of the bot''s token; tenant and workspace are authenticated with it.';
comment on column slack_installation.installed_at is 'When.';
comment on column slack_installation.installed_by is 'The admin who did.';

select countersign_protect('slack_installation');
select countersign_system_reads('slack_installation');

create function slack_installation_of(app text, team text) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select installation.tenant_id, installation.id from slack_installation installation
     where installation.app_id = app and installation.team_id = team;
  end;
select countersign_system_function('slack_installation_of(text, text)');
comment on function slack_installation_of(text, text) is
  'The installation that a request of Slack names. The request counts for nothing before its signature was checked inside that tenant.';

create table slack_channel (
  tenant_id uuid not null,
  environment text not null,
  channel_id text not null,
  updated_at timestamptz not null,
  constraint slack_channel_pk primary key (tenant_id, environment),
  constraint slack_channel_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint slack_channel_channel_id_check check (channel_id ~ '^[CG][A-Z0-9]{1,31}$')
);

comment on table slack_channel is 'The channel that hears of requests in an environment.';
comment on column slack_channel.tenant_id is 'The tenant it belongs to.';
comment on column slack_channel.environment is 'The environment''s name; empty for those not named.';
comment on column slack_channel.channel_id is 'As Slack names it.';
comment on column slack_channel.updated_at is 'When it was set.';

select countersign_protect('slack_channel');

-- ---------------------------------------------------------------------------------------------------------------
-- Links
-- ---------------------------------------------------------------------------------------------------------------

create table slack_link_code (
  tenant_id uuid not null,
  id uuid not null,
  code_digest bytea not null,
  slack_user_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint slack_link_code_pk primary key (tenant_id, id),
  constraint slack_link_code_digest_key unique (tenant_id, code_digest),
  constraint slack_link_code_digest_check check (octet_length(code_digest) = 32),
  constraint slack_link_code_user_check check (slack_user_id ~ '^[UW][A-Z0-9]{1,31}$'),
  constraint slack_link_code_expires_at_check check (expires_at > created_at),
  constraint slack_link_code_used_at_check check (used_at >= created_at and used_at < expires_at)
);

comment on table slack_link_code is 'A link that a Slack user asked for, to be confirmed once by the person, signed in.';
comment on column slack_link_code.tenant_id is 'The tenant it belongs to.';
comment on column slack_link_code.id is 'UUIDv7.';
comment on column slack_link_code.code_digest is 'HMAC-SHA-256 of the code under a key of the keyring.';
comment on column slack_link_code.slack_user_id is 'The Slack user who asked, as Slack signed it.';
comment on column slack_link_code.created_at is 'When.';
comment on column slack_link_code.expires_at is 'From when it is refused.';
comment on column slack_link_code.used_at is 'When it was confirmed; it works once.';

select countersign_protect('slack_link_code');

create table slack_link (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  credential_id uuid not null,
  team_id text not null,
  slack_user_id text not null,
  linked_at timestamptz not null,
  ended_at timestamptz,
  constraint slack_link_pk primary key (tenant_id, id),
  constraint slack_link_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint slack_link_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint slack_link_user_check check (slack_user_id ~ '^[UW][A-Z0-9]{1,31}$'),
  constraint slack_link_ended_at_check check (ended_at >= linked_at)
);
create unique index slack_link_user_key on slack_link (tenant_id, team_id, slack_user_id) where ended_at is null;
create index slack_link_person_idx on slack_link (tenant_id, person_id) where ended_at is null;

comment on table slack_link is 'Which person a Slack user is, as that person confirmed, signed in. It holds while its credential does.';
comment on column slack_link.tenant_id is 'The tenant it belongs to.';
comment on column slack_link.id is 'UUIDv7.';
comment on column slack_link.person_id is 'The person.';
comment on column slack_link.credential_id is 'The credential (kind slack_link) that actions in Slack are recorded with; revoking it ends the link.';
comment on column slack_link.team_id is 'The workspace.';
comment on column slack_link.slack_user_id is 'The user in it.';
comment on column slack_link.linked_at is 'When it was confirmed.';
comment on column slack_link.ended_at is 'When another link of the same user took its place.';

select countersign_protect('slack_link');
select countersign_changes_only('slack_link', 'ended_at');

-- ---------------------------------------------------------------------------------------------------------------
-- Messages
-- ---------------------------------------------------------------------------------------------------------------

create table slack_message (
  tenant_id uuid not null,
  id uuid not null,
  subject text not null,
  channel_id text not null,
  slack_channel_id text,
  ts text,
  rendered_digest text,
  tried_at timestamptz,
  lease_until timestamptz,
  created_at timestamptz not null,
  posted_at timestamptz,
  constraint slack_message_pk primary key (tenant_id, id),
  constraint slack_message_posted_check check ((ts is null) = (posted_at is null) and (ts is null) = (slack_channel_id is null)),
  constraint slack_message_subject_check check (char_length(subject) between 1 and 200)
);
create unique index slack_message_subject_key on slack_message (tenant_id, subject, channel_id);

comment on table slack_message is 'A message of ours in Slack: posted once, through any crash, and changed in place afterwards.';
comment on column slack_message.tenant_id is 'The tenant it belongs to.';
comment on column slack_message.id is 'UUIDv7; the message carries it in its metadata, and is found by it.';
comment on column slack_message.subject is 'The thing that it shows: request:<id>, run:<id>:<event>.';
comment on column slack_message.channel_id is 'Its destination: a channel, or a user for a direct message.';
comment on column slack_message.slack_channel_id is 'The conversation it was posted in.';
comment on column slack_message.ts is 'Slack''s name for it; null until it is known to be there.';
comment on column slack_message.rendered_digest is 'Digest of its content; the same is not sent again.';
comment on column slack_message.tried_at is 'When posting was first tried: it may be there although ts is not known.';
comment on column slack_message.lease_until is 'While one worker brings it up to date, no other does.';
comment on column slack_message.created_at is 'When it was decided on.';
comment on column slack_message.posted_at is 'When it was known to be there.';

select countersign_protect('slack_message');

create table slack_pace (
  tenant_id uuid not null,
  channel_id text not null,
  free_at timestamptz not null,
  queued_until timestamptz not null,
  new_until timestamptz not null default '-infinity',
  constraint slack_pace_pk primary key (tenant_id, channel_id),
  constraint slack_pace_tenant_fk foreign key (tenant_id) references tenant (id)
);

comment on table slack_pace is 'The pace of calls to Slack, over all workers: posts by channel, edits by workspace.';
comment on column slack_pace.tenant_id is 'The tenant it belongs to.';
comment on column slack_pace.channel_id is 'The channel; * for edits, which share one pace in the workspace.';
comment on column slack_pace.free_at is 'From when the next call may be made. A past time is saved calls, if bursts are allowed.';
comment on column slack_pace.queued_until is 'Until when those that wait have been told to come back; replies, if it is a channel.';
comment on column slack_pace.new_until is 'Until when new messages that wait have the channel; a reply comes after them.';

select countersign_protect('slack_pace');

-- One statement decides the turn of a call to Slack, in the transaction that takes the message.
create function slack_pace_take(
  new_channel text, call text, step_ms integer, burst_ms integer, turn_ms integer, early_ms integer) returns integer
  language plpgsql as $$
declare
  pace slack_pace;
  now_at timestamptz;
  turn timestamptz;
  step constant interval := step_ms * interval '1 millisecond';
begin
  insert into slack_pace (tenant_id, channel_id, free_at, queued_until)
  values (countersign_current_tenant(), new_channel, '-infinity', '-infinity')
  on conflict (tenant_id, channel_id) do nothing returning * into pace;
  if not found then
    select * into strict pace from slack_pace
     where tenant_id = countersign_current_tenant() and channel_id = new_channel for update;
  end if;
  now_at := clock_timestamp();
  if pace.free_at <= now_at
     and (call <> 'reply' or pace.new_until + turn_ms * interval '1 millisecond' <= now_at) then
    update slack_pace
       set free_at = greatest(pace.free_at, now_at - burst_ms * interval '1 millisecond') + step,
           new_until = case when call = 'message' and pace.new_until <= now_at then '-infinity' else pace.new_until end
     where tenant_id = countersign_current_tenant() and channel_id = new_channel;
    return 0;
  end if;
  -- A call that comes a little early keeps its turn. Any other gets a turn of its own, so that not all come back at once.
  if pace.free_at > now_at and pace.free_at < now_at + early_ms * interval '1 millisecond' then
    turn := pace.free_at;
  elsif call = 'message' then
    turn := greatest(pace.new_until + step, pace.free_at);
    update slack_pace set new_until = turn where tenant_id = countersign_current_tenant() and channel_id = new_channel;
  else
    turn := greatest(pace.queued_until + step, pace.free_at, pace.new_until + step);
    update slack_pace set queued_until = turn where tenant_id = countersign_current_tenant() and channel_id = new_channel;
  end if;
  return greatest(10, ceil(extract(epoch from turn - now_at) * 1000));
end $$;
comment on function slack_pace_take(text, text, integer, integer, integer, integer) is 'Counts a call to Slack (message, reply or edit) of the current tenant. Returns 0 if the call may be made now. Else returns the milliseconds to wait. With the rights of the caller.';

-- Of the channel's messages one is taken at a time. A crash after the post leaves the mark, and the next worker looks for the
-- post first.
create function slack_message_take(
  new_id uuid, of_subject text, at_channel text, in_thread_of text, lease_ms integer,
  step_ms integer, burst_ms integer, turn_ms integer, early_ms integer,
  out id uuid, out slack_channel_id text, out ts text, out rendered_digest text, out tried_at timestamptz, out held boolean,
  out waited_ms double precision, out thread_channel text, out thread_ts text, out delay_ms integer)
  language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
  message slack_message;
begin
  insert into slack_message (tenant_id, id, subject, channel_id, created_at)
  values (tenant, new_id, of_subject, at_channel, clock_timestamp())
  on conflict (tenant_id, subject, channel_id) do nothing returning * into message;
  if not found then
    select * into strict message from slack_message m
     where m.tenant_id = tenant and m.subject = of_subject and m.channel_id = at_channel for update;
  end if;
  id := message.id;
  slack_channel_id := message.slack_channel_id;
  ts := message.ts;
  rendered_digest := message.rendered_digest;
  tried_at := message.tried_at;
  held := coalesce(message.lease_until > clock_timestamp(), false);
  waited_ms := extract(epoch from clock_timestamp() - message.created_at) * 1000;
  if in_thread_of is not null then
    select first.slack_channel_id, first.ts into thread_channel, thread_ts from slack_message first
     where first.tenant_id = tenant and first.subject = in_thread_of and first.channel_id = at_channel;
  end if;
  if held or ts is not null or (in_thread_of is not null and thread_ts is null)
     or not exists (select from slack_installation where tenant_id = tenant) then
    return;
  end if;
  delay_ms := slack_pace_take(
    at_channel, case when in_thread_of is null then 'message' else 'reply' end, step_ms, burst_ms, turn_ms, early_ms);
  if delay_ms = 0 then
    update slack_message m
       set lease_until = clock_timestamp() + lease_ms * interval '1 millisecond',
           tried_at = coalesce(m.tried_at, clock_timestamp())
     where m.tenant_id = tenant and m.id = message.id;
  end if;
end $$;
comment on function slack_message_take(uuid, text, text, text, integer, integer, integer, integer, integer) is 'Locks the message of a subject at a channel of the current tenant. Makes it if it is not there. A message to post takes a turn of its channel; delay_ms is 0 if it is posted now, and then it is leased and marked as possibly posted; null if it takes none. With the rights of the caller.';

create table slack_interaction (
  tenant_id uuid not null,
  id uuid not null,
  body_digest bytea not null,
  payload jsonb not null,
  received_at timestamptz not null,
  next_attempt_at timestamptz not null,
  attempts integer not null default 0,
  done_at timestamptz,
  outcome text,
  constraint slack_interaction_pk primary key (tenant_id, id),
  -- The same body a second time is a repetition, Slack's own or somebody else's, and is worked on once.
  constraint slack_interaction_body_key unique (tenant_id, body_digest),
  constraint slack_interaction_body_check check (octet_length(body_digest) = 32),
  constraint slack_interaction_done_check check ((done_at is null) = (outcome is null))
);
create index slack_interaction_due_idx on slack_interaction (tenant_id, next_attempt_at) where done_at is null;
create index slack_interaction_received_idx on slack_interaction (tenant_id, received_at);
-- Clicks in Slack hold the words of reviewers, and are kept no longer than they are of use. The deletion happens inside each
-- tenant.
create index slack_interaction_done_idx on slack_interaction (tenant_id, done_at) where done_at is not null;

comment on table slack_interaction is 'An action of a person in Slack, with a signature that was right. It is acknowledged at once and worked on afterwards.';
comment on column slack_interaction.tenant_id is 'The tenant it belongs to.';
comment on column slack_interaction.id is 'UUIDv7.';
comment on column slack_interaction.body_digest is 'SHA-256 of the signed body.';
comment on column slack_interaction.payload is 'The action, its person and its message, as far as it is worked on.';
comment on column slack_interaction.received_at is 'When it came.';
comment on column slack_interaction.next_attempt_at is 'Not to be worked on before: while one worker does, no other does.';
comment on column slack_interaction.attempts is 'How often it was begun.';
comment on column slack_interaction.done_at is 'When it was done, or given up.';
comment on column slack_interaction.outcome is 'The outcome: done, given_up after too many attempts or without a workspace, refused_by_slack, or the code of the refusal.';

select countersign_protect('slack_interaction');
select countersign_system_reads('slack_interaction');

create function slack_interaction_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select interaction.tenant_id, interaction.id from slack_interaction interaction
     where interaction.done_at is null and interaction.next_attempt_at <= at
       and interaction.id <> all (held) and interaction.tenant_id <> all (full_tenants)
     order by interaction.next_attempt_at limit most;
  end;
select countersign_system_function('slack_interaction_due(timestamptz, integer, uuid[], uuid[])');
comment on function slack_interaction_due(timestamptz, integer, uuid[], uuid[]) is
  'Slack interactions to work on, the longest due first.';

create function slack_interaction_done_tenants(before timestamptz) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id
      from tenant
     where exists (select from slack_interaction interaction
                    where interaction.tenant_id = tenant.id and interaction.done_at < before);
  end;
select countersign_system_function('slack_interaction_done_tenants(timestamptz)');
comment on function slack_interaction_done_tenants(timestamptz) is
  'Tenants with interactions from Slack that were done before a moment; id repeats the tenant.';
