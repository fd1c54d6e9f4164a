-- The audit log. An entry is written in the transaction of the action itself. A sequencer then gives it a leaf in the tenant's
-- Merkle tree (RFC 6962). It signs a checkpoint over the tree.
--
-- The log refers to other tables by id without foreign keys. It outlives those rows, and an entry's insert waits for no lock of
-- another row. Evidence and leaf do not refer to the entry by a foreign key either. The check would lock and rewrite every entry
-- once more, and the digests say the same.

-- ---------------------------------------------------------------------------------------------------------------
-- Entries
-- ---------------------------------------------------------------------------------------------------------------

-- A generated column takes no value from a statement, and none from a copy of the rows. PostgreSQL wants its function immutable.
-- This one is not: a row names the transaction that wrote it.
create function audit_entry_own_xid(id uuid) returns xid8
  language plpgsql immutable as $$
begin
  return pg_current_xact_id();
end $$;
comment on function audit_entry_own_xid(uuid) is 'The transaction that writes the entry.';

create function audit_entry_only_erased() returns trigger
  language plpgsql as $$
begin
  if old.payload is null or new.payload is not null
     or to_jsonb(new) - '{salt,payload}'::text[] <> to_jsonb(old) - '{salt,payload}'::text[] then
    raise exception 'audit_entry is append-only: UPDATE is refused, unless it erases the payload' using errcode = 'CS001';
  end if;
  return null;
end $$;
comment on function audit_entry_only_erased() is
  'Trigger: the one change an entry sees is that its payload and salt are erased; SQLSTATE CS001.';

-- Row-level security lets an index serve a condition only if the functions of the condition are leakproof. Those of jsonb are
-- not. The sought ids of entries therefore stand in columns, which PostgreSQL derives.
create table audit_entry (
  tenant_id uuid not null,
  id uuid not null,
  entry_number bigint generated always as identity,
  xid xid8 not null generated always as (audit_entry_own_xid(id)) stored,
  occurred_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  level text not null,
  action text not null,
  actor jsonb not null,
  subject_type text not null,
  subject_id text not null,
  within jsonb not null,
  decision_id uuid,
  evidence jsonb not null,
  payload_digest bytea not null,
  salt bytea,
  payload text,
  actor_id text generated always as (actor ->> 'id') stored,
  root_id text generated always as (within -> 0 ->> 'id') stored,
  constraint audit_entry_pk primary key (tenant_id, id),
  constraint audit_entry_level_check check (level in ('basic', 'detailed', 'full', 'full_with_evidence', 'critical')),
  constraint audit_entry_action_check check (action ~ '^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$'),
  -- The sequencer reads the header of each entry. An entry that it cannot read holds back all later ones of the tenant.
  constraint audit_entry_occurred_at_check check (
    occurred_at >= timestamptz '2000-01-01 00:00:00Z' and occurred_at < timestamptz '10000-01-01 00:00:00Z'),
  constraint audit_entry_actor_check check (coalesce(
    actor ->> 'kind' in ('person', 'agent', 'system')
      and jsonb_typeof(actor -> 'id') = 'string' and jsonb_typeof(actor -> 'display_name') = 'string'
      and jsonb_typeof(actor -> 'credential_id') in ('string', 'null') and jsonb_typeof(actor -> 'on_behalf_of') in ('string', 'null'),
    false)),
  constraint audit_entry_within_check check (within = jsonb_path_query_array(within,
    'strict $[*] ? (@.type.type() == "string" && @.id.type() == "string")', '{}', true)),
  constraint audit_entry_evidence_check check (evidence = jsonb_path_query_array(evidence,
    'strict $[*] ? (@.kind.type() == "string" && @.id.type() == "string" && @.digest.type() == "string")', '{}', true)),
  constraint audit_entry_payload_digest_check check (octet_length(payload_digest) = 32),
  constraint audit_entry_payload_check check ((salt is null) = (payload is null)),
  constraint audit_entry_salt_check check (octet_length(salt) = 32)
) partition by range (id);
create index audit_entry_occurred_idx on audit_entry (tenant_id, occurred_at, id);
create index audit_entry_actor_idx on audit_entry (tenant_id, actor_id, occurred_at, id);
create index audit_entry_subject_idx on audit_entry (tenant_id, subject_id, occurred_at, id);
create index audit_entry_action_idx on audit_entry (tenant_id, action, occurred_at, id);
create index audit_entry_decision_idx on audit_entry (tenant_id, decision_id) where decision_id is not null;
create index audit_entry_critical_idx on audit_entry (tenant_id, occurred_at, id) where level = 'critical';
-- Entries of a thing are found by the outermost thing that it belongs to: one index serves all kinds.
create index audit_entry_root_idx on audit_entry (tenant_id, root_id, occurred_at, id) where root_id is not null;
create index audit_entry_undecided_call_idx on audit_entry (tenant_id, occurred_at, id)
  where action = 'tool_call.decided' and decision_id is null;
-- Security reviewers read the command lines of agents apart from other calls; without the index a rare tier reads the whole log.
create index audit_entry_command_line_idx on audit_entry (tenant_id, occurred_at, id)
  where action = 'tool_call.decided' and payload like '%"shell":{"class":%';
create index audit_entry_xid_idx on audit_entry (xid);

comment on table audit_entry is 'An insert-only record of each action. Its payload and salt are erased under the retention rule; the rest and every proof stay.';
comment on column audit_entry.tenant_id is 'The tenant it happened in.';
comment on column audit_entry.id is 'UUIDv7.';
comment on column audit_entry.entry_number is 'Order of insertion, taken after the locks of the use case; with gaps, and never shown.';
comment on column audit_entry.xid is 'The transaction that inserted it, by the count of this cluster. Nobody can name another.';
comment on column audit_entry.occurred_at is 'The database''s clock at the insert, in whole milliseconds.';
comment on column audit_entry.level is 'How long its payload is kept (audit_retention); each level records the same. critical is break-glass.';
comment on column audit_entry.action is 'The action, in the past tense: approval_request.approved.';
comment on column audit_entry.actor is 'The actor: {kind, id, display_name, credential_id, on_behalf_of}.';
comment on column audit_entry.subject_type is 'The kind of thing it was done to.';
comment on column audit_entry.subject_id is 'The id of the thing it was done to.';
comment on column audit_entry.within is 'The things it happened in, outermost first: [{type, id}].';
comment on column audit_entry.decision_id is 'The recorded policy decision behind it, if any.';
comment on column audit_entry.evidence is 'Documents the action fixed: [{kind, id, digest}]; kept when the payload is erased.';
comment on column audit_entry.payload_digest is 'SHA-256 over a domain prefix, the salt and the payload''s canonical JSON.';
comment on column audit_entry.salt is '256 random bits, so that a digest tells nothing once the payload is erased; null from then on.';
comment on column audit_entry.payload is 'The facts, masked: canonical JSON, byte for byte as it was digested. Null once it is erased.';
comment on column audit_entry.actor_id is 'The id in actor.';
comment on column audit_entry.root_id is 'The id of the outermost thing it happened in, if any.';

select countersign_check_at_once('audit_entry');
select countersign_protect('audit_entry');
revoke update, delete, truncate on audit_entry from countersign_app;
select countersign_system_reads('audit_entry');
create trigger audit_entry_no_delete before delete on audit_entry
  for each row execute function countersign_refuse_change();
create trigger audit_entry_no_truncate before truncate on audit_entry
  for each statement execute function countersign_refuse_change();
-- After the update: a trigger before it would have the generated columns computed anew.
create trigger audit_entry_only_erased after update on audit_entry
  for each row execute function audit_entry_only_erased();

-- Clients that follow a session of agents read its new entries.
create function audit_tell_session() returns trigger
  language plpgsql as $$
begin
  perform pg_notify('countersign_change', concat_ws(':', new.tenant_id, 'session', new.root_id, 'recorded'));
  return null;
end $$;
comment on function audit_tell_session() is
  'Trigger: tells every listening replica, at commit, that a session has a new entry.';
create trigger audit_entry_tell_session after insert on audit_entry
  for each row when (new.root_id is not null and new.within -> 0 ->> 'type' = 'session')
  execute function audit_tell_session();

-- Payloads are erased in one way alone: of the current tenant, by its retention rule.
grant update (salt, payload) on audit_entry to countersign_system;
create policy audit_entry_system_erase on audit_entry for update to countersign_system
  using (tenant_id = (select countersign_current_tenant()))
  with check (tenant_id = (select countersign_current_tenant()));

select countersign_partition_by_month('audit_entry');

create table audit_evidence (
  tenant_id uuid not null,
  digest text not null,
  entry_id uuid not null,
  constraint audit_evidence_pk primary key (tenant_id, digest, entry_id)
);

comment on table audit_evidence is 'Finds the entries that fixed a document; derived from audit_entry.evidence.';
comment on column audit_evidence.tenant_id is 'The tenant it belongs to.';
comment on column audit_evidence.digest is 'Digest of a document: sha256: and 64 hexadecimal digits.';
comment on column audit_evidence.entry_id is 'An entry with the digest in its evidence.';

select countersign_protect('audit_evidence');
select countersign_append_only('audit_evidence');

-- ---------------------------------------------------------------------------------------------------------------
-- Retention
-- ---------------------------------------------------------------------------------------------------------------

create table audit_retention (
  tenant_id uuid not null,
  level text not null,
  keep_days integer not null constraint audit_retention_keep_days_check check (keep_days between 30 and 36500),
  set_at timestamptz not null,
  constraint audit_retention_pk primary key (tenant_id, level),
  constraint audit_retention_level_check
    check (level in ('basic', 'detailed', 'full', 'full_with_evidence', 'critical')),
  constraint audit_retention_minimum_check check (keep_days >=
    case level when 'full' then 90 when 'full_with_evidence' then 365 when 'critical' then 730 else 30 end)
);

comment on table audit_retention is 'How long payloads are kept, by the level of their entry; without a row for ever.';
comment on column audit_retention.tenant_id is 'The tenant it belongs to.';
comment on column audit_retention.level is 'The audit level that the rule is for.';
comment on column audit_retention.keep_days is 'Days after which a payload is erased: from 30 for basic to 730 for critical at the least.';
comment on column audit_retention.set_at is 'When the rule was last set, by the database''s clock.';

select countersign_protect('audit_retention');
select countersign_system_reads('audit_retention');

create function audit_retention_tenants() returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select distinct rule.tenant_id, rule.tenant_id from audit_retention rule;
  end;
select countersign_system_function('audit_retention_tenants()');
comment on function audit_retention_tenants() is 'Tenants that erase payloads by a rule; id repeats the tenant.';

create function audit_erase_payloads(at_most integer) returns table (tenant_id uuid, id uuid)
  language sql volatile security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    with live_task as materialized (
      select run.task_id from run
       where run.tenant_id = countersign_current_tenant() and run.finished_at is null
      union
      select request.task_id from approval_request request
       where request.tenant_id = countersign_current_tenant() and request.state in ('open', 'approved')
         and request.task_id is not null
      union
      select incident.task_id from incident
       where incident.tenant_id = countersign_current_tenant() and incident.state <> 'reviewed'
    ),
    -- Some entries name their plan alone.
    live as materialized (
      select live_task.task_id::text as id from live_task
      union
      select plan.id::text from plan join live_task on plan.task_id = live_task.task_id
       where plan.tenant_id = countersign_current_tenant()
    )
    update audit_entry erased set salt = null, payload = null
      from (
       select entry.tenant_id, entry.id
         from audit_retention rule
         join audit_entry entry
           on entry.tenant_id = rule.tenant_id
          and entry.level = rule.level
          and entry.occurred_at < clock_timestamp() - make_interval(days => rule.keep_days)
        where rule.tenant_id = countersign_current_tenant()
          and entry.payload is not null
          and not exists (select from live where live.id = entry.within -> 0 ->> 'id')
          and not exists (
            select from change_request change
             where change.tenant_id = entry.tenant_id and change.state = 'open'
               and entry.subject_type = 'change_request' and entry.subject_id = change.id::text)
        order by entry.occurred_at, entry.id
        limit at_most
     ) due
     where erased.tenant_id = due.tenant_id and erased.id = due.id
     returning erased.tenant_id, erased.id;
  end;
select countersign_system_function('audit_erase_payloads(integer)');
comment on function audit_erase_payloads(integer) is
  'Erases the current tenant''s payloads that the rule of their level no longer keeps, oldest first. None belongs to a task with a live request, run or incident, or to an open change; returns their entries.';

-- ---------------------------------------------------------------------------------------------------------------
-- The tree
-- ---------------------------------------------------------------------------------------------------------------

create table audit_epoch (
  tenant_id uuid not null,
  epoch integer not null constraint audit_epoch_epoch_check check (epoch >= 1),
  started_at timestamptz not null,
  reason text not null,
  constraint audit_epoch_pk primary key (tenant_id, epoch)
);

comment on table audit_epoch is 'A tree of its own: the first, and one more after every restore from a backup.';
comment on column audit_epoch.tenant_id is 'The tenant it belongs to.';
comment on column audit_epoch.epoch is 'Counts from 1; part of the checkpoint''s origin.';
comment on column audit_epoch.started_at is 'When it started, by the database''s clock.';
comment on column audit_epoch.reason is 'The reason why it started.';

select countersign_protect('audit_epoch');
select countersign_append_only('audit_epoch');
select countersign_system_reads('audit_epoch');

create table audit_leaf (
  tenant_id uuid not null,
  epoch integer not null,
  leaf_index bigint not null constraint audit_leaf_index_check check (leaf_index >= 0),
  entry_id uuid not null,
  leaf_hash bytea not null constraint audit_leaf_hash_check check (octet_length(leaf_hash) = 32),
  constraint audit_leaf_pk primary key (tenant_id, epoch, leaf_index),
  constraint audit_leaf_entry_key unique (tenant_id, entry_id)
);

comment on table audit_leaf is 'Leaves of the tenant''s Merkle tree (RFC 6962), insert-only.';
comment on column audit_leaf.tenant_id is 'The tenant it belongs to.';
comment on column audit_leaf.epoch is 'The tree.';
comment on column audit_leaf.leaf_index is 'Position in the tree, from 0, without gaps.';
comment on column audit_leaf.entry_id is 'The entry it commits to.';
comment on column audit_leaf.leaf_hash is 'SHA-256 of 0x00 and the entry header''s canonical JSON.';

select countersign_protect('audit_leaf');
select countersign_append_only('audit_leaf');
select countersign_system_reads('audit_leaf');

create table audit_node (
  tenant_id uuid not null,
  epoch integer not null,
  level integer not null constraint audit_node_level_check check (level between 1 and 62),
  node_index bigint not null constraint audit_node_index_check check (node_index >= 0),
  hash bytea not null constraint audit_node_hash_check check (octet_length(hash) = 32),
  constraint audit_node_pk primary key (tenant_id, epoch, level, node_index)
);

comment on table audit_node is 'Hashes of full subtrees, insert-only, so that a root or a proof reads O(log n) rows.';
comment on column audit_node.tenant_id is 'The tenant it belongs to.';
comment on column audit_node.epoch is 'The tree.';
comment on column audit_node.level is 'Height: the subtree has 2^level leaves.';
comment on column audit_node.node_index is 'Position on its level: it covers leaves from node_index * 2^level.';
comment on column audit_node.hash is 'SHA-256 of 0x01 and both children.';

select countersign_protect('audit_node');
select countersign_append_only('audit_node');

-- ---------------------------------------------------------------------------------------------------------------
-- Sequencing
-- ---------------------------------------------------------------------------------------------------------------

-- Entries without a leaf are found by the transaction that wrote them. So an action writes no mark for each. Every entry that the
-- cursor's snapshot did not see is looked at, and has a leaf or gets one. The leaf decides. The cursor only says which entries
-- need no look.

create table audit_pending (
  tenant_id uuid not null,
  entry_number bigint not null,
  entry_id uuid not null,
  constraint audit_pending_pk primary key (tenant_id, entry_number)
);
alter table audit_pending set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000);

comment on table audit_pending is 'Entries of tenants that could not be sequenced when they were met: set aside until their leaf is there.';
comment on column audit_pending.tenant_id is 'The tenant it belongs to.';
comment on column audit_pending.entry_number is 'The entry''s order number.';
comment on column audit_pending.entry_id is 'The entry.';

select countersign_protect('audit_pending');
select countersign_system_reads('audit_pending');

create table audit_cursor (
  the_one boolean not null default true,
  cluster text not null,
  seen pg_snapshot not null,
  constraint audit_cursor_pk primary key (the_one),
  constraint audit_cursor_single check (the_one)
);

comment on table audit_cursor is 'Global: up to where every entry has its leaf or is set aside: one row.';
comment on column audit_cursor.the_one is 'True: there is one row.';
comment on column audit_cursor.cluster is 'The cluster and its timeline; in another one the numbers of transactions mean something else.';
comment on column audit_cursor.seen is 'Each entry that a statement with this snapshot sees has its leaf or is set aside.';

grant select, insert, update on audit_cursor to countersign_app;
grant select on audit_cursor to countersign_system;

create function audit_cluster() returns text
  language sql stable
  return (select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
comment on function audit_cluster() is
  'Names this cluster and its timeline: another after a restore into a new cluster, and after each promotion.';

-- Every entry is looked at once more after a restore into another cluster or a promotion. So it is if the counter went back.
create function audit_seen() returns pg_snapshot
  language sql stable
  return (select cursor.seen from audit_cursor cursor
           where cursor.cluster = audit_cluster()
             and pg_snapshot_xmax(cursor.seen) <= pg_snapshot_xmax(pg_current_snapshot()));
comment on function audit_seen() is
  'The snapshot of the cursor. Null if the cursor is of another cluster or timeline, or ahead of this one.';

-- Transaction ids of another cluster may lie ahead of this cluster's own. A visible transaction of this cluster lies below the
-- end of the current snapshot.
create function audit_arrived(entry_xid xid8, seen pg_snapshot) returns boolean
  language sql stable
  return seen is null or (entry_xid < pg_snapshot_xmax(pg_current_snapshot()) and not pg_visible_in_snapshot(entry_xid, seen));
comment on function audit_arrived(xid8, pg_snapshot) is 'Whether a transaction is one that the snapshot did not see.';

create function audit_lowest(seen pg_snapshot) returns xid8
  language sql immutable
  return coalesce(pg_snapshot_xmin(seen), '0'::xid8);
comment on function audit_lowest(pg_snapshot) is 'No transaction below this one is news to the snapshot.';

-- Sequential scans are off: the planner cannot know how little lies above the cursor.
create function audit_unsequenced(at_most integer) returns table (entry_number bigint, id uuid)
  language sql stable
  set enable_seqscan = off
  begin atomic
    with since as materialized (select audit_seen() as seen)
    select entry.entry_number, entry.id
      from since
      join audit_entry entry on entry.xid >= audit_lowest(since.seen)
     where entry.tenant_id = countersign_current_tenant()
       and audit_arrived(entry.xid, since.seen)
       and not exists (select from audit_leaf leaf where leaf.tenant_id = entry.tenant_id and leaf.entry_id = entry.id)
     order by 1 limit at_most;
  end;
comment on function audit_unsequenced(integer) is 'Entries of the current tenant that have no leaf and that the cursor''s snapshot did not see. They come in the order of their insertion.';

create function audit_unsequenced_entries(at_most integer, until pg_snapshot) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  set enable_seqscan = off
  begin atomic
    with recursive since as materialized (select audit_seen() as seen),
    arrived as (
      select entry.tenant_id, entry.entry_number, entry.id,
             row_number() over (partition by entry.tenant_id order by entry.entry_number) as ordinal
        from since
        join audit_entry entry on entry.xid >= audit_lowest(since.seen)
       where audit_arrived(entry.xid, since.seen)
         -- An entry that the given snapshot did not see belongs to a later look.
         and (until is null or pg_visible_in_snapshot(entry.xid, until)
              or entry.xid >= pg_snapshot_xmax(pg_current_snapshot()))
         and not exists (select from audit_leaf leaf where leaf.tenant_id = entry.tenant_id and leaf.entry_id = entry.id)
         and not exists (select from audit_pending pending
                          where pending.tenant_id = entry.tenant_id and pending.entry_number = entry.entry_number)
    ),
    -- Hops from tenant to tenant along the key, so that a long backlog of one costs nothing here.
    hop as (
      (select p.tenant_id, p.entry_number, p.entry_id from audit_pending p where until is null
        order by p.tenant_id, p.entry_number limit 1)
      union all
      select following.tenant_id, following.entry_number, following.entry_id
        from hop
        cross join lateral (
          select p.tenant_id, p.entry_number, p.entry_id from audit_pending p
           where p.tenant_id > hop.tenant_id
           order by p.tenant_id, p.entry_number limit 1
        ) following
    )
    select waiting.tenant_id, waiting.id
      from (select arrived.tenant_id, arrived.entry_number, arrived.id from arrived where arrived.ordinal <= at_most
            union all
            select hop.tenant_id, hop.entry_number, hop.entry_id from hop) waiting
     order by waiting.tenant_id, waiting.entry_number;
  end;
select countersign_system_function('audit_unsequenced_entries(integer, pg_snapshot)');
comment on function audit_unsequenced_entries(integer, pg_snapshot) is 'Entries of all tenants that have no leaf yet, so many of each tenant. Also the oldest that is set aside; with a snapshot, only entries that it sees and that are not set aside.';

-- One statement checks that every entry of the look has its leaf. It also checks that no transaction which the look saw as over
-- is still under way. The second check fails only for a look at another history of this database, as before a restore.
create function audit_settle(look pg_snapshot) returns pg_snapshot
  language sql volatile
  begin atomic
    insert into audit_cursor (cluster, seen)
    select audit_cluster(), look
     where look is not null
       and not exists (select from audit_unsequenced_entries(1, look))
       and pg_snapshot_xmax(look) <= pg_snapshot_xmax(pg_current_snapshot())
       and not exists (select from pg_snapshot_xip(pg_current_snapshot()) running (xid)
                        where pg_visible_in_snapshot(running.xid, look))
    on conflict (the_one) do update set cluster = excluded.cluster, seen = excluded.seen
     where audit_seen() is null or pg_snapshot_xmax(audit_cursor.seen) < pg_snapshot_xmax(excluded.seen);
    select pg_current_snapshot();
  end;
comment on function audit_settle(pg_snapshot) is 'Moves the cursor on to the snapshot of an earlier statement. It does so if all entries that the snapshot saw have their leaf or are set aside. It never moves back. Returns the present snapshot.';

-- ---------------------------------------------------------------------------------------------------------------
-- Checkpoints
-- ---------------------------------------------------------------------------------------------------------------

create function audit_signing_key_only_retires() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.valid_to is not null or new.valid_to is null
     or (new.tenant_id, new.key_name, new.public_key, new.valid_from)
        is distinct from (old.tenant_id, old.key_name, old.public_key, old.valid_from) then
    raise exception 'audit_signing_key keeps its history: a key is retired once and never changed' using errcode = 'CS001';
  end if;
  return new;
end $$;
comment on function audit_signing_key_only_retires() is
  'Trigger: the one change a signing key sees is valid_to, once; SQLSTATE CS001.';

create table audit_signing_key (
  tenant_id uuid not null,
  key_name text not null,
  public_key bytea not null constraint audit_signing_key_public_key_check check (octet_length(public_key) = 32),
  valid_from timestamptz not null,
  valid_to timestamptz,
  constraint audit_signing_key_pk primary key (tenant_id, key_name),
  constraint audit_signing_key_valid_to_check check (valid_to >= valid_from)
);
create unique index audit_signing_key_current_unique on audit_signing_key (tenant_id) where valid_to is null;

comment on table audit_signing_key is 'Ed25519 keys that sign checkpoints, present and past; the private halves are never in the database.';
comment on column audit_signing_key.tenant_id is 'The tenant it signs for.';
comment on column audit_signing_key.key_name is 'Its name in signed notes.';
comment on column audit_signing_key.public_key is '32 bytes (RFC 8032).';
comment on column audit_signing_key.valid_from is 'When it began to sign.';
comment on column audit_signing_key.valid_to is 'When another took over; null for the one that signs.';

select countersign_protect('audit_signing_key');
revoke delete, truncate on audit_signing_key from countersign_app;
create trigger audit_signing_key_only_retires before update or delete on audit_signing_key
  for each row execute function audit_signing_key_only_retires();

create table audit_checkpoint (
  tenant_id uuid not null,
  epoch integer not null,
  tree_size bigint not null constraint audit_checkpoint_tree_size_check check (tree_size > 0),
  root_hash bytea not null constraint audit_checkpoint_root_hash_check check (octet_length(root_hash) = 32),
  note text not null,
  key_name text not null,
  signed_at timestamptz not null,
  constraint audit_checkpoint_pk primary key (tenant_id, epoch, tree_size),
  constraint audit_checkpoint_epoch_fk foreign key (tenant_id, epoch) references audit_epoch (tenant_id, epoch),
  constraint audit_checkpoint_key_fk foreign key (tenant_id, key_name) references audit_signing_key (tenant_id, key_name)
);

comment on table audit_checkpoint is 'Signed statements: the tree of this size has this root. Insert-only.';
comment on column audit_checkpoint.tenant_id is 'The tenant it belongs to.';
comment on column audit_checkpoint.epoch is 'The tree.';
comment on column audit_checkpoint.tree_size is 'Number of leaves covered.';
comment on column audit_checkpoint.root_hash is 'Merkle tree hash of those leaves (RFC 6962 section 2.1).';
comment on column audit_checkpoint.note is 'The signed note (C2SP tlog-checkpoint), byte for byte.';
comment on column audit_checkpoint.key_name is 'The key that signed it.';
comment on column audit_checkpoint.signed_at is 'When, by the database''s clock.';

select countersign_protect('audit_checkpoint');
select countersign_append_only('audit_checkpoint');
select countersign_system_reads('audit_checkpoint');

create table audit_publication (
  tenant_id uuid not null,
  epoch integer not null,
  tree_size bigint not null,
  published_at timestamptz not null,
  elsewhere boolean not null default false,
  constraint audit_publication_pk primary key (tenant_id, epoch, tree_size),
  constraint audit_publication_checkpoint_fk
    foreign key (tenant_id, epoch, tree_size) references audit_checkpoint (tenant_id, epoch, tree_size)
);

comment on table audit_publication is 'Checkpoints that stand outside this database; a larger one covers the smaller. Insert-only.';
comment on column audit_publication.tenant_id is 'The tenant it belongs to.';
comment on column audit_publication.epoch is 'The tree.';
comment on column audit_publication.tree_size is 'The checkpoint.';
comment on column audit_publication.published_at is 'When the outside confirmed it, by the database''s clock.';
comment on column audit_publication.elsewhere is 'Whether it went to a destination that the operator named. False: to the folder beside the data, from which somebody has to copy it.';

select countersign_protect('audit_publication');
select countersign_append_only('audit_publication');
select countersign_system_reads('audit_publication');

create function audit_unpublished_tenants(signed_before timestamptz) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    with latest as (
      select distinct on (e.tenant_id) e.tenant_id, e.epoch from audit_epoch e order by e.tenant_id, e.epoch desc
    )
    select latest.tenant_id, latest.tenant_id
      from latest
     where exists (
       select from audit_checkpoint c
        where c.tenant_id = latest.tenant_id and c.epoch = latest.epoch
          and (signed_before is null or c.signed_at < signed_before)
          and c.tree_size > coalesce((select max(p.tree_size) from audit_publication p
                                       where p.tenant_id = latest.tenant_id and p.epoch = latest.epoch), 0));
  end;
select countersign_system_function('audit_unpublished_tenants(timestamptz)');
comment on function audit_unpublished_tenants(timestamptz) is 'Tenants with a checkpoint of their latest epoch that is larger than any outside. If a moment is given, the checkpoint was signed before it; id repeats the tenant, since checkpoints have none.';

-- ---------------------------------------------------------------------------------------------------------------
-- Followers
-- ---------------------------------------------------------------------------------------------------------------

-- The sequencer writes the size of the grown tree here. So a look for followers with work reads no tree.
create table log_follower (
  tenant_id uuid not null,
  id uuid not null,
  name text not null constraint log_follower_name_check check (name ~ '^[a-z][a-z_]{0,39}$'),
  epoch integer not null,
  next_index bigint not null,
  head_epoch integer not null,
  head_size bigint not null,
  behind_since timestamptz not null,
  not_before timestamptz not null,
  failures integer not null constraint log_follower_failures_check check (failures >= 0),
  at_once integer not null constraint log_follower_at_once_check check (at_once >= 1),
  by_loop boolean not null,
  constraint log_follower_pk primary key (tenant_id, id),
  constraint log_follower_name_key unique (tenant_id, name),
  constraint log_follower_next_index_check check (next_index >= 0)
);
create index log_follower_behind_idx on log_follower (tenant_id, behind_since)
  where row (epoch, next_index) < row (head_epoch, head_size);

comment on table log_follower is 'Readers of a tenant''s log that work it off in the order of its tree, and their places.';
comment on column log_follower.tenant_id is 'The tenant it belongs to.';
comment on column log_follower.id is 'UUIDv7.';
comment on column log_follower.name is 'Which reader: webhook, for example.';
comment on column log_follower.epoch is 'The tree of the next leaf that it takes.';
comment on column log_follower.next_index is 'The index of that leaf.';
comment on column log_follower.head_epoch is 'The newest tree.';
comment on column log_follower.head_size is 'The size of the newest tree.';
comment on column log_follower.behind_since is 'Since when it has had entries before it; its beginning if it has had none yet.';
comment on column log_follower.not_before is 'A failed turn is tried again from then on.';
comment on column log_follower.failures is 'Failed turns since the last one that succeeded.';
comment on column log_follower.at_once is 'How many entries its next turn takes at most.';
comment on column log_follower.by_loop is 'Whether processes that are set up for it look for its work; no job is woken.';

select countersign_protect('log_follower');
select countersign_system_reads('log_follower');

create function log_follow_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select follower.tenant_id, follower.id from log_follower follower
     where row (follower.epoch, follower.next_index) < row (follower.head_epoch, follower.head_size)
       and follower.behind_since <= at
       -- A look passes the present. A measurement of ages passes earlier times, and counts postponed followers too.
       and (follower.not_before <= at or at < clock_timestamp() - interval '4 seconds') and not follower.by_loop
       and follower.id <> all (held) and follower.tenant_id <> all (full_tenants)
     order by follower.behind_since limit most;
  end;
select countersign_system_function('log_follow_due(timestamptz, integer, uuid[], uuid[])');
comment on function log_follow_due(timestamptz, integer, uuid[], uuid[]) is
  'Followers with entries before them, the longest behind first.';

create function log_export_due(exporter text) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id from tenant
     where not exists (select from log_follower follower where follower.tenant_id = tenant.id and follower.name = exporter)
    union all
    (select follower.tenant_id, follower.tenant_id from log_follower follower
      where follower.name = exporter and follower.not_before <= clock_timestamp()
        and row (follower.epoch, follower.next_index) < row (follower.head_epoch, follower.head_size)
      order by follower.behind_since);
  end;
select countersign_system_function('log_export_due(text)');
comment on function log_export_due(text) is
  'Tenants whose log has entries that an exporter has not sent, or has not begun with; id repeats the tenant.';
