-- People and agents, the roles of people, and their credentials. They tell how each person came in, and how often they may call.
--
-- The columns that decide are sealed by an HMAC under a key of the keyring. So a login to the database alone writes no row that
-- counts (ADR 16). Stored digests of tokens are HMACs under such a key too.

-- ---------------------------------------------------------------------------------------------------------------
-- Names and addresses
-- ---------------------------------------------------------------------------------------------------------------

-- A name that reads like another imitates a person (T48), and so does a name that changed lately.
create function countersign_name_skeleton(name text) returns text
  language sql immutable strict parallel safe as $$
  select replace(replace(regexp_replace(translate(lower(normalize(name, NFKD)),
    'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЁІЇЈЅԚԜЄҐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩӀŁØĐавекмнорстухіјѕԛԝһӏёїαεικνορτυχηωζβμσς01i|!ıłøđħɡɑß$@օսհցոզѵ',
    'aбbгдeжзийkлmhoпpctyфxцчшщъыьэюяelljsqwєґabγδezhθlkλunξoπpotyφxψwllodabekmhopctyxljsqwhlelaelkvoptuxnwzbuocollllllodhgabsaouhgnqv'),
    '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u0300-\u036f\u034f\u061c\u115f\u1160\u180e\u2000-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff]', '', 'g'),
    'rn', 'm'), 'vv', 'w')
$$;
comment on function countersign_name_skeleton(text) is
  'The reading of a name, without case, marks, spaces and signs. Look-alike letters are one: 0 and o, 1, l and I, Cyrillic and Greek.';

-- A person's name with a title behind it, such as "Sam (SRE lead)", reads as that person (T48).
create function countersign_bare_name(name text) returns text
  language sql immutable strict parallel safe as $$
  select coalesce(nullif(regexp_replace(name, '\s*([][(){}<>,;:/|•·（［【《「]|\s[-–—]\s).*$', ''), ''), name)
$$;
comment on function countersign_bare_name(text) is
  'The part of a name before its first bracket, comma, colon, stroke or dash; all of it if nothing stands before.';

-- The trigger keeps the former name, so that no statement renames without a trace.
create function countersign_keep_former_name() returns trigger
  language plpgsql as $$
declare
  was text := to_jsonb(old) ->> tg_argv[0];
begin
  if was is not distinct from to_jsonb(new) ->> tg_argv[0] then
    new.former_name := old.former_name;
    new.renamed_at := old.renamed_at;
    return new;
  end if;
  if old.renamed_at is null or old.renamed_at < clock_timestamp() - interval '7 days' then
    new.former_name := was;
  else
    new.former_name := old.former_name;
  end if;
  new.renamed_at := clock_timestamp();
  return new;
end $$;
comment on function countersign_keep_former_name() is 'Trigger: keeps the former value of the column named, and when it changed.';

-- One mailbox has one vote (T39): addresses that reach the same mailbox count as one.
create function countersign_mailbox(address text) returns text
  language sql immutable strict parallel safe as $$
  select replace(split_part(split_part(lower(address), '@', 1), '+', 1), '.', '') || '@' || split_part(lower(address), '@', 2)
$$;
comment on function countersign_mailbox(text) is
  'The mailbox of an address: without case, without a + and its tag, and without dots in the local part. It errs towards the same mailbox.';

-- ---------------------------------------------------------------------------------------------------------------
-- People and agents
-- ---------------------------------------------------------------------------------------------------------------

create table person (
  tenant_id uuid not null,
  id uuid not null,
  email text not null,
  display_name text not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  enrolled_at timestamptz,
  signed_in_at timestamptz,
  passkey_signed_in_at timestamptz,
  operator_signed_in_at timestamptz,
  former_name text,
  renamed_at timestamptz,
  constraint person_pk primary key (tenant_id, id),
  constraint person_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint person_email_check check (email ~ '^[^@\s]+@[^@\s]+$' and char_length(email) <= 254),
  constraint person_display_name_check check (char_length(display_name) between 1 and 200),
  constraint person_enrolled_at_check check (enrolled_at >= created_at),
  constraint person_renamed_check check ((former_name is null) = (renamed_at is null)),
  constraint person_former_name_check check (char_length(former_name) between 1 and 200)
);
create unique index person_email_key on person (tenant_id, lower(email));

comment on table person is 'Somebody who can decide. People are disabled, never deleted: history names them.';
comment on column person.tenant_id is 'The tenant it belongs to.';
comment on column person.id is 'UUIDv7.';
comment on column person.email is 'Address; unique in the tenant without regard to case.';
comment on column person.display_name is 'Name as others read it.';
comment on column person.created_at is 'When it was created.';
comment on column person.disabled_at is 'Since when this person may do nothing; null while they may.';
comment on column person.enrolled_at is 'When they last exchanged an enrolment token; their roles count from then on only. Null before the first.';
comment on column person.signed_in_at is 'When they last signed in at an issuer, by its word; null before the first time.';
comment on column person.passkey_signed_in_at is 'When they last came in by a passkey of ours; null before the first time.';
comment on column person.operator_signed_in_at is 'When they last came in by a link that the operator printed on the server. Null before the first time.';
comment on column person.former_name is 'The name before the last renaming; with several in a week, the one before them all. Null if they were never renamed.';
comment on column person.renamed_at is 'When they were renamed last; null if never.';

select countersign_protect('person');
-- The address by which a person is invited, mailed and found at an issuer never changes. People and agents are never deleted.
select countersign_changes_only('person',
  'display_name', 'disabled_at', 'enrolled_at', 'signed_in_at', 'passkey_signed_in_at', 'operator_signed_in_at');
-- Open pages show people who come and go, and changes of their roles.
select countersign_live('person', 'person', 'disabled_at');
create trigger person_keep_former_name before update on person
  for each row execute function countersign_keep_former_name('display_name');

-- A person who left counts as a second person for 72 hours. A person who enrolled anew votes only from then on. So the login sets
-- these times to the present alone. An end of last week would leave one admin alone at once (T34). A use case may be minutes old.
create function countersign_refuse_backdating() returns trigger
  language plpgsql as $$
declare
  before jsonb := to_jsonb(old);
  after jsonb := to_jsonb(new);
  place integer;
begin
  for place in 0 .. tg_nargs - 1 loop
    if before -> tg_argv[place] <> after -> tg_argv[place]
       and (after ->> tg_argv[place])::timestamptz < clock_timestamp() - interval '5 minutes' then
      raise exception '%: % is not set to a time long past', tg_table_name, tg_argv[place] using errcode = 'CS001';
    end if;
  end loop;
  return new;
end $$;
comment on function countersign_refuse_backdating() is
  'Trigger: the times named change to the present alone, or to none; SQLSTATE CS001.';

create trigger person_not_backdated before update of disabled_at, enrolled_at on person
  for each row when (current_user <> 'countersign_owner') execute function countersign_refuse_backdating('disabled_at', 'enrolled_at');
create trigger person_stays_enrolled before update of enrolled_at on person
  for each row when (new.enrolled_at is null and old.enrolled_at is not null) execute function countersign_refuse_unset('enrolled_at');

create table agent (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  description text not null,
  owner_person_id uuid not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  former_name text,
  renamed_at timestamptz,
  constraint agent_pk primary key (tenant_id, id),
  constraint agent_name_key unique (tenant_id, name),
  constraint agent_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint agent_owner_person_fk foreign key (tenant_id, owner_person_id) references person (tenant_id, id),
  constraint agent_name_check check (char_length(name) between 1 and 200),
  constraint agent_description_check check (char_length(description) <= 2000),
  constraint agent_renamed_check check ((former_name is null) = (renamed_at is null)),
  constraint agent_former_name_check check (char_length(former_name) between 1 and 200)
);
create index agent_owner_person_idx on agent (tenant_id, owner_person_id);

comment on table agent is 'A program that asks. It never decides.';
comment on column agent.tenant_id is 'The tenant it belongs to.';
comment on column agent.id is 'UUIDv7.';
comment on column agent.name is 'Name, unique in the tenant.';
comment on column agent.description is 'Its purpose.';
comment on column agent.owner_person_id is 'The accountable person, who never reviews a request of the agent.';
comment on column agent.created_at is 'When it was created.';
comment on column agent.disabled_at is 'Since when it may do nothing; null while it may.';
comment on column agent.former_name is 'The name before the last renaming; with several in a week, the one before them all. Null if it was never renamed.';
comment on column agent.renamed_at is 'When it was renamed last; null if never.';

select countersign_protect('agent');
select countersign_changes_only('agent', 'name', 'description', 'owner_person_id', 'disabled_at');
select countersign_live('agent', 'agent', 'disabled_at');
create trigger agent_keep_former_name before update on agent
  for each row execute function countersign_keep_former_name('name');

create function countersign_name_note(of_tenant uuid, own_id uuid, own_kind text, own_name text, former_name text, renamed_at timestamptz)
  returns text language sql stable as $$
  with own as (
    select countersign_name_skeleton(own_name) as whole, countersign_name_skeleton(countersign_bare_name(own_name)) as bare)
  select nullif(concat_ws('; ',
    (select case when bool_or(lower(other.display_name) = lower(own_name)) then 'another person has this name'
                 when count(*) > 0 then 'another person has a name that looks like this one' end
       from own, person other
      where own_kind = 'person' and other.tenant_id = of_tenant and other.id <> own_id
        and countersign_name_skeleton(other.display_name) in (own.whole, own.bare)),
    (select case when bool_or(lower(other.display_name) = lower(own_name)) then 'a person has this name'
                 when count(*) > 0 then 'a person has a name that looks like this one' end
       from own, person other
      where own_kind <> 'person' and other.tenant_id = of_tenant
        and countersign_name_skeleton(other.display_name) in (own.whole, own.bare)),
    (select case when own_kind = 'agent' then 'another agent has a name that looks like this one'
                 when bool_or(lower(other.name) = lower(own_name)) then 'an agent has this name'
                 else 'an agent has a name that looks like this one' end
       from own, agent other
      where own_kind in ('person', 'agent') and other.tenant_id = of_tenant and other.id <> own_id
        and countersign_name_skeleton(other.name) = own.whole
     having count(*) > 0),
    case when renamed_at > clock_timestamp() - interval '7 days' then
      'renamed ' || case extract(day from clock_timestamp() - renamed_at)
        when 0 then 'less than a day ago'
        when 1 then '1 day ago'
        else extract(day from clock_timestamp() - renamed_at) || ' days ago' end || ', was ' || former_name end),
    '')
$$;
comment on function countersign_name_note(uuid, uuid, text, text, text, timestamptz) is
  'A note for readers of a name. Another person or agent has the same name or a similar one. Or the name is less than a week old. Null if there is none.';

create function countersign_shown_name(one person) returns text language sql stable as $$
  select one.display_name || coalesce(' (' || note || '; ' || one.email || ')', '')
    from countersign_name_note(one.tenant_id, one.id, 'person', one.display_name, one.former_name, one.renamed_at) note
$$;
comment on function countersign_shown_name(person) is 'A person''s name as deciding people read it. If it could be taken for another, a note and the address follow.';

create table agent_owner (
  tenant_id uuid not null,
  agent_id uuid not null,
  since timestamptz not null,
  person_id uuid not null,
  constraint agent_owner_pk primary key (tenant_id, agent_id, since),
  constraint agent_owner_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint agent_owner_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id)
);

comment on table agent_owner is 'Every person who was ever accountable for an agent, and since when; written by a trigger on agent, insert-only.';
comment on column agent_owner.tenant_id is 'The tenant it belongs to.';
comment on column agent_owner.agent_id is 'The agent.';
comment on column agent_owner.since is 'Since when, until the next row of the same agent.';
comment on column agent_owner.person_id is 'The accountable person.';

select countersign_protect('agent_owner');
select countersign_append_only('agent_owner');

create function countersign_keep_agent_owner() returns trigger
  language plpgsql as $$
begin
  insert into agent_owner (tenant_id, agent_id, since, person_id)
    values (new.tenant_id, new.id, clock_timestamp(), new.owner_person_id);
  return null;
end $$;
comment on function countersign_keep_agent_owner() is 'Trigger of agent: keeps every accountable person in agent_owner.';

create trigger agent_first_owner after insert on agent
  for each row execute function countersign_keep_agent_owner();

create trigger agent_next_owner after update of owner_person_id on agent
  for each row when (old.owner_person_id <> new.owner_person_id) execute function countersign_keep_agent_owner();

create table role_assignment (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  role text not null,
  assigned_at timestamptz not null,
  assigned_by uuid,
  assigned_by_issuer uuid,
  revoked_at timestamptz,
  revoked_by uuid,
  revoked_by_issuer uuid,
  seal text not null constraint role_assignment_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint role_assignment_pk primary key (tenant_id, id),
  constraint role_assignment_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint role_assignment_assigned_by_fk foreign key (tenant_id, assigned_by) references person (tenant_id, id),
  constraint role_assignment_revoked_by_fk foreign key (tenant_id, revoked_by) references person (tenant_id, id),
  constraint role_assignment_role_check check (role ~ '^[A-Za-z][A-Za-z0-9_-]{0,62}$'),
  constraint role_assignment_revoked_check check (
    (revoked_at is null) = (revoked_by is null and revoked_by_issuer is null)
    and (revoked_by is null or revoked_by_issuer is null) and revoked_at >= assigned_at),
  constraint role_assignment_assigned_by_check check (assigned_by is null or assigned_by_issuer is null)
);
create unique index role_assignment_held_key on role_assignment (tenant_id, person_id, role) where revoked_at is null;
create index role_assignment_role_idx on role_assignment (tenant_id, role) where revoked_at is null;
create index role_assignment_issuer_idx on role_assignment (tenant_id, assigned_by_issuer) where assigned_by_issuer is not null;

comment on table role_assignment is 'A role of a person, with its start and its author; a revoked one stays as history.';
comment on column role_assignment.tenant_id is 'The tenant it belongs to.';
comment on column role_assignment.id is 'UUIDv7.';
comment on column role_assignment.person_id is 'The holder of the role.';
comment on column role_assignment.role is 'PlatformAdmin, SRELead, DevOpsEngineer, SecurityReviewer, or one that the tenant named.';
comment on column role_assignment.assigned_at is 'Since when; a role gained after a request opened does not count there.';
comment on column role_assignment.assigned_by is 'The person who assigned it; null for the first admin, whom the bootstrap token made.';
comment on column role_assignment.assigned_by_issuer is 'The issuer that gave the role by its claims; null if a person gave it.';
comment on column role_assignment.revoked_at is 'Until when; null while it is held.';
comment on column role_assignment.revoked_by is 'The person who took it away.';
comment on column role_assignment.revoked_by_issuer is 'The issuer that no longer gave the role by its claims.';
comment on column role_assignment.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('role_assignment');
select countersign_changes_only('role_assignment', 'revoked_at', 'revoked_by', 'revoked_by_issuer');
select countersign_live('role_assignment', 'person', 'revoked_at', 'person_id');
create trigger role_assignment_set_once before update of revoked_at on role_assignment
  for each row execute function countersign_refuse_unset('revoked_at');
create trigger role_assignment_not_backdated before update of revoked_at on role_assignment
  for each row when (current_user <> 'countersign_owner') execute function countersign_refuse_backdating('revoked_at');

-- ---------------------------------------------------------------------------------------------------------------
-- Credentials
-- ---------------------------------------------------------------------------------------------------------------

create function credential_refuse_new_token() returns trigger
  language plpgsql as $$
begin
  if old.kind <> 'browser_session' then
    raise exception 'credential: the token of a % never changes', old.kind using errcode = 'CS001';
  end if;
  return new;
end $$;
comment on function credential_refuse_new_token() is 'Trigger: only a browser session is given another token; SQLSTATE CS001.';

create table credential (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null,
  person_id uuid,
  agent_id uuid,
  delegated_by uuid,
  name text not null,
  prefix text not null,
  token_digest bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  created_by uuid,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  seal text not null constraint credential_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint credential_pk primary key (tenant_id, id),
  -- The one lookup that happens before a tenant is known: by the digest of 256 random bits.
  constraint credential_token_digest_key unique (token_digest),
  constraint credential_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint credential_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint credential_delegated_by_fk foreign key (tenant_id, delegated_by) references person (tenant_id, id),
  constraint credential_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  constraint credential_kind_check check (
    kind in ('person_token', 'agent_token', 'delegation', 'browser_session', 'issuer_token', 'slack_link', 'automation')),
  constraint credential_holder_check check (
    case kind
      when 'agent_token' then person_id is null and agent_id is not null and delegated_by is null
      when 'automation' then person_id is null and agent_id is not null and delegated_by is null
      when 'delegation' then person_id is null and agent_id is not null and delegated_by is not null
      else person_id is not null and agent_id is null and delegated_by is null
    end),
  -- Only a person mints their own token, and only the delegating person issues a delegation.
  constraint credential_created_by_check check (
    case kind
      when 'person_token' then created_by is null or created_by = person_id
      when 'delegation' then created_by is not null and created_by = delegated_by
      when 'agent_token' then created_by is not null
      when 'automation' then created_by is not null
      else created_by is null
    end),
  constraint credential_scopes_check check (
    cardinality(scopes) > 0 and array_position(scopes, null) is null
    and scopes <@ array['read', 'submit', 'run', 'review', 'halt', 'audit', 'admin']),
  constraint credential_agent_scopes_check check (
    kind not in ('agent_token', 'delegation', 'automation') or not scopes && array['review', 'admin']),
  constraint credential_name_check check (char_length(name) between 1 and 200),
  constraint credential_prefix_check check (char_length(prefix) between 4 and 32),
  constraint credential_token_digest_check check (octet_length(token_digest) = 32),
  constraint credential_expires_at_check check (expires_at > created_at),
  constraint credential_revoked_at_check check (revoked_at >= created_at)
);
create index credential_person_idx on credential (tenant_id, person_id) where person_id is not null;
create index credential_agent_idx on credential (tenant_id, agent_id) where agent_id is not null;
create index credential_delegated_by_idx on credential (tenant_id, delegated_by) where delegated_by is not null;

comment on table credential is 'A bearer token, of which only a digest is kept.';
comment on column credential.tenant_id is 'The tenant it belongs to.';
comment on column credential.id is 'UUIDv7.';
comment on column credential.kind is 'person_token; agent_token; delegation (an agent acting on behalf of a person); browser_session (a browser); issuer_token (access tokens of an issuer); slack_link (a person in Slack); or automation (the agent of an automation, by no token).';
comment on column credential.person_id is 'The person who signs in with it; for a person_token, a browser_session and an issuer_token.';
comment on column credential.agent_id is 'The agent that signs in with it; for an agent_token, a delegation and an automation.';
comment on column credential.delegated_by is 'The person that the agent acts for; only for a delegation, and issued by that person.';
comment on column credential.name is 'The holder''s name for it.';
comment on column credential.prefix is 'The recognisable start of the token; not secret.';
comment on column credential.token_digest is 'HMAC-SHA-256 of the token under a key of the keyring; a browser session''s changes when it is rotated.';
comment on column credential.scopes is 'Its permitted uses; never review or admin for an agent.';
comment on column credential.created_at is 'When it was minted.';
comment on column credential.created_by is 'The person who minted it. Null for a token of an enrolment, and for a credential that a sign-in opened.';
comment on column credential.expires_at is 'From when it is refused.';
comment on column credential.revoked_at is 'Since when it is refused; null while it is not revoked.';
comment on column credential.last_used_at is 'When it was last seen, roughly.';
comment on column credential.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('credential');
select countersign_system_reads('credential');
select countersign_changes_only('credential', 'revoked_at', 'last_used_at', 'token_digest', 'seal');
-- The rotation of a browser session gives it another token and another seal. Nothing else about a credential changes.
create trigger credential_set_once before update of revoked_at on credential
  for each row execute function countersign_refuse_unset('revoked_at');
create trigger credential_token_unchanged before update of token_digest on credential
  for each row when (old.token_digest is distinct from new.token_digest) execute function credential_refuse_new_token();

create table bootstrap_token (
  token_digest bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint bootstrap_token_pk primary key (token_digest),
  constraint bootstrap_token_digest_check check (octet_length(token_digest) = 32),
  constraint bootstrap_token_expires_at_check check (expires_at > created_at and expires_at <= created_at + interval '24 hours'),
  constraint bootstrap_token_used_at_check check (used_at >= created_at and used_at < expires_at)
);

comment on table bootstrap_token is 'Global: a single-use token that creates the first admin of a new tenant.';
comment on column bootstrap_token.token_digest is 'HMAC-SHA-256 of the token under a key of the keyring.';
comment on column bootstrap_token.created_at is 'When it was made.';
comment on column bootstrap_token.expires_at is 'From when it is refused; at most 24 hours later.';
comment on column bootstrap_token.used_at is 'When it was used; it works once.';

grant select, insert, update (used_at) on bootstrap_token to countersign_app;
create trigger bootstrap_token_set_once before update on bootstrap_token
  for each row execute function countersign_refuse_unset('used_at');

create table enrolment (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  token_digest bytea not null,
  channel text not null,
  created_at timestamptz not null,
  created_by uuid,
  expires_at timestamptz not null,
  used_at timestamptz,
  voided_at timestamptz,
  seal text not null constraint enrolment_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint enrolment_pk primary key (tenant_id, id),
  -- Looked up before a tenant is known, by the digest of 256 random bits.
  constraint enrolment_token_digest_key unique (token_digest),
  constraint enrolment_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint enrolment_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  constraint enrolment_token_digest_check check (octet_length(token_digest) = 32),
  constraint enrolment_expires_at_check check (expires_at > created_at),
  constraint enrolment_used_at_check check (used_at >= created_at and used_at < expires_at),
  constraint enrolment_channel_check check (channel in ('shown', 'mailed', 'operator', 'bootstrap')),
  -- The server alone made it, or a person did: no third way.
  constraint enrolment_hand_check check ((created_by is null) = (channel in ('operator', 'bootstrap'))),
  constraint enrolment_voided_at_check check (voided_at is null or voided_at >= created_at and used_at is null)
);
create index enrolment_person_idx on enrolment (tenant_id, person_id);

comment on table enrolment is 'A one-time token by which a person gets their own credential. Never deleted: it is the history of how people came in.';
comment on column enrolment.tenant_id is 'The tenant it belongs to.';
comment on column enrolment.id is 'UUIDv7.';
comment on column enrolment.person_id is 'The person that it enrols.';
comment on column enrolment.token_digest is 'HMAC-SHA-256 of the token under a key of the keyring.';
comment on column enrolment.channel is 'The way of the secret. shown: to its maker; mailed: by the server, unseen by people here; operator: printed on the server; bootstrap: for the first admin.';
comment on column enrolment.created_at is 'When it was issued.';
comment on column enrolment.created_by is 'The person who made it; null for those of the bootstrap and of the operator.';
comment on column enrolment.expires_at is 'From when it is refused.';
comment on column enrolment.used_at is 'When it was exchanged; it works once.';
comment on column enrolment.voided_at is 'Since when it opens nothing although it was never used; null while it may.';
comment on column enrolment.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('enrolment');
select countersign_system_reads('enrolment');
select countersign_changes_only('enrolment', 'used_at', 'voided_at');
create trigger enrolment_set_once before update on enrolment
  for each row execute function countersign_refuse_unset('used_at', 'voided_at');
create trigger enrolment_append_only before delete on enrolment
  for each row execute function countersign_refuse_change();
create trigger enrolment_no_truncate before truncate on enrolment
  for each statement execute function countersign_refuse_change();

create function enrolment_by_digest(wanted bytea) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select enrolment.tenant_id, enrolment.id from enrolment where enrolment.token_digest = wanted;
  end;
select countersign_system_function('enrolment_by_digest(bytea)');
comment on function enrolment_by_digest(bytea) is
  'The enrolment with this digest. The decision whether it is still good is taken inside its tenant.';

create table person_vouch (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  vouched_by uuid not null,
  vouched_at timestamptz not null,
  seal text not null constraint person_vouch_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint person_vouch_pk primary key (tenant_id, id),
  constraint person_vouch_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint person_vouch_vouched_by_fk foreign key (tenant_id, vouched_by) references person (tenant_id, id),
  constraint person_vouch_another_check check (vouched_by <> person_id)
);
create index person_vouch_person_idx on person_vouch (tenant_id, person_id);

comment on table person_vouch is 'An admin of another hand says that a person is somebody of their own. Insert-only.';
comment on column person_vouch.tenant_id is 'The tenant it belongs to.';
comment on column person_vouch.id is 'UUIDv7.';
comment on column person_vouch.person_id is 'The person that is vouched for.';
comment on column person_vouch.vouched_by is 'The admin of another hand.';
comment on column person_vouch.vouched_at is 'When; a person who comes in anew after it needs a new vouch.';
comment on column person_vouch.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('person_vouch');
select countersign_append_only('person_vouch');

create function agent_answerable(of_agent uuid, since timestamptz, credentials uuid[]) returns table (person_id uuid)
  language sql stable as $$
  select answerable.person_id from (
    select owner.person_id, 0 as rank, owner.since as at
      from agent_owner owner
     where owner.tenant_id = countersign_current_tenant() and owner.agent_id = of_agent
       and not exists (select from agent_owner next
                        where next.tenant_id = owner.tenant_id and next.agent_id = of_agent
                          and next.since > owner.since and next.since <= agent_answerable.since)
    union all
    -- The last use of a token is written once a minute.
    select token.created_by, 1, token.created_at from credential token
     where token.tenant_id = countersign_current_tenant() and token.agent_id = of_agent and token.kind = 'agent_token'
       and (token.id = any (credentials) or token.last_used_at >= agent_answerable.since - interval '2 minutes')
  ) answerable group by answerable.person_id order by min(rank), max(at) desc, answerable.person_id
$$;
comment on function agent_answerable(uuid, timestamptz, uuid[]) is
  'The people who answered for the agent since then, and those who made a token that speaks for it; with the rights of the caller.';

-- ---------------------------------------------------------------------------------------------------------------
-- Budgets
-- ---------------------------------------------------------------------------------------------------------------

-- A budget limits how often a person or agent may call, with all their credentials together. Another limits a tenant as a whole.
-- All API processes share it. Unlogged: almost every request writes it, and a crash just makes every budget full.
create unlogged table request_budget (
  tenant_id uuid not null,
  holder_id uuid not null,
  tokens double precision not null,
  given integer not null,
  refilled_at timestamptz not null,
  constraint request_budget_pk primary key (tenant_id, holder_id),
  constraint request_budget_tokens_check check (tokens >= 0),
  constraint request_budget_given_check check (given >= 0)
);

comment on table request_budget is 'A token bucket for each person and agent, and one for the tenant. Processes draw a few requests at a time from them.';
comment on column request_budget.tenant_id is 'The tenant it belongs to.';
comment on column request_budget.holder_id is 'The person or agent of the counted requests, or the tenant itself for all of them; without a foreign key, since the table does not survive a crash.';
comment on column request_budget.tokens is 'Requests left at refilled_at; it refills with time.';
comment on column request_budget.given is 'How many the last draw was given.';
comment on column request_budget.refilled_at is 'When tokens was computed.';

select countersign_protect('request_budget');

-- A draw is one statement without a transaction around it: it stands even if the request fails.
create function request_budget_draw(
  drawing uuid, holders uuid[], wanted_requests integer[], holder_burst float8, holder_refill float8,
  tenant_burst float8, tenant_refill float8
) returns table (holder_id uuid, given integer, tokens float8)
  language plpgsql as $$
#variable_conflict use_column
declare
  before constant text := coalesce(current_setting('app.tenant_id', true), '');
begin
  perform set_config('app.tenant_id', drawing::text, true), set_config('lock_timeout', '5000', true);
  return query
    insert into request_budget as budget (tenant_id, holder_id, tokens, given, refilled_at)
    select drawing, wanted.holder_id,
           (case when wanted.holder_id = drawing then tenant_burst else holder_burst end) - wanted.requests,
           wanted.requests, clock_timestamp()
      from unnest(holders, wanted_requests) as wanted (holder_id, requests)
    on conflict (tenant_id, holder_id) do update set (tokens, given, refilled_at) = (
      select greatest(0, available.tokens - allotted.requests), allotted.requests, clock_timestamp()
        from (select least(limits.burst, budget.tokens + limits.refill
                       * greatest(0, extract(epoch from clock_timestamp() - budget.refilled_at))) as tokens
                from (select case when budget.holder_id = drawing then tenant_burst else holder_burst end as burst,
                             case when budget.holder_id = drawing then tenant_refill else holder_refill end as refill)
                     limits) available,
             lateral (select least(excluded.given, floor(available.tokens)::integer) as requests) allotted)
    returning budget.holder_id, budget.given, budget.tokens;
  perform set_config('app.tenant_id', before, true);
end $$;
comment on function request_budget_draw(uuid, uuid[], integer[], float8, float8, float8, float8) is
  'Draws requests from budgets of one tenant. Returns the requests that each was given, and the rest. With the rights of the caller, under row-level security; refills are by the second.';

-- ---------------------------------------------------------------------------------------------------------------
-- Foreign keys to people, of tables that come before people
-- ---------------------------------------------------------------------------------------------------------------

alter table secret add constraint secret_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id);

alter table secret_binding add constraint secret_binding_updated_by_fk foreign key (tenant_id, updated_by) references person (tenant_id, id);
