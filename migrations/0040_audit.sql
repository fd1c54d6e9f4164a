-- The audit log. An entry is written in the transaction of the action itself; a sequencer then gives it a leaf in the
-- tenant's Merkle tree (RFC 6962) and signs a checkpoint over the tree. The log refers to other tables by id without
-- foreign keys: it outlives what it speaks about, and an entry's insert waits for no other row's lock. Nor do payload,
-- evidence and leaf refer to the entry by one: the check would lock and rewrite every entry once more, and what it would
-- say is said by the digests.

create table audit_entry (
  tenant_id uuid not null,
  id uuid not null,
  entry_number bigint generated always as identity,
  occurred_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  level text not null
    constraint audit_entry_level_check check (level in ('basic', 'detailed', 'full', 'full_with_evidence', 'critical')),
  action text not null constraint audit_entry_action_check check (action ~ '^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$'),
  actor jsonb not null,
  subject_type text not null,
  subject_id text not null,
  task_id uuid,
  plan_id uuid,
  run_id uuid,
  decision_id uuid,
  evidence jsonb not null constraint audit_entry_evidence_check check (jsonb_typeof(evidence) = 'array'),
  payload_digest bytea not null constraint audit_entry_payload_digest_check check (octet_length(payload_digest) = 32),
  constraint audit_entry_pk primary key (tenant_id, id)
);
create index audit_entry_occurred_idx on audit_entry (tenant_id, occurred_at, id);
create index audit_entry_actor_idx on audit_entry (tenant_id, (actor ->> 'id'), occurred_at, id);
create index audit_entry_subject_idx on audit_entry (tenant_id, subject_id, occurred_at, id);
create index audit_entry_action_idx on audit_entry (tenant_id, action, occurred_at, id);
create index audit_entry_plan_idx on audit_entry (tenant_id, plan_id, occurred_at, id) where plan_id is not null;
create index audit_entry_task_idx on audit_entry (tenant_id, task_id, occurred_at, id) where task_id is not null;

comment on table audit_entry is 'What happened, insert-only: the header of each audit entry. Its facts stand in audit_payload.';
comment on column audit_entry.tenant_id is 'The tenant it happened in.';
comment on column audit_entry.id is 'UUIDv7.';
comment on column audit_entry.entry_number is 'Order of insertion, taken after the locks of the use case; with gaps, and never shown.';
comment on column audit_entry.occurred_at is 'The database''s clock at the insert, in whole milliseconds.';
comment on column audit_entry.level is 'How much is kept about it (ADR-009); critical is break-glass.';
comment on column audit_entry.action is 'What was done, in the past tense: approval_request.granted.';
comment on column audit_entry.actor is 'Who did it: {kind, id, display_name, credential_id, on_behalf_of}.';
comment on column audit_entry.subject_type is 'The kind of thing it was done to.';
comment on column audit_entry.subject_id is 'The id of the thing it was done to.';
comment on column audit_entry.task_id is 'The task it belongs to, if any.';
comment on column audit_entry.plan_id is 'The plan it belongs to, if any.';
comment on column audit_entry.run_id is 'The run it belongs to, if any.';
comment on column audit_entry.decision_id is 'The recorded policy decision behind it, if any.';
comment on column audit_entry.evidence is 'Documents the action fixed: [{kind, id, digest}]; kept when the payload is erased.';
comment on column audit_entry.payload_digest is 'SHA-256 over a domain prefix, the salt and the payload''s canonical JSON.';

select countersign_protect('audit_entry');
select countersign_append_only('audit_entry');

create table audit_evidence (
  tenant_id uuid not null,
  digest text not null,
  entry_id uuid not null,
  constraint audit_evidence_pk primary key (tenant_id, digest, entry_id)
);

comment on table audit_evidence is 'Finds the entries that fixed a document; derived from audit_entry.evidence.';
comment on column audit_evidence.tenant_id is 'The tenant it belongs to.';
comment on column audit_evidence.digest is 'Digest of a document: sha256: and 64 hexadecimal digits.';
comment on column audit_evidence.entry_id is 'An entry whose evidence names the digest.';

select countersign_protect('audit_evidence');
select countersign_append_only('audit_evidence');

create table audit_payload (
  tenant_id uuid not null,
  entry_id uuid not null,
  salt bytea not null constraint audit_payload_salt_check check (octet_length(salt) = 32),
  payload text not null,
  constraint audit_payload_pk primary key (tenant_id, entry_id)
);

comment on table audit_payload is 'The facts of an entry, masked. Erased with its salt under the retention rule; the entry and every proof stay.';
comment on column audit_payload.tenant_id is 'The tenant it belongs to.';
comment on column audit_payload.entry_id is 'The entry it belongs to.';
comment on column audit_payload.salt is '256 random bits, so that a digest tells nothing once the payload is erased.';
comment on column audit_payload.payload is 'Canonical JSON, byte for byte as it was digested.';

select countersign_protect('audit_payload');
revoke update, delete, truncate on audit_payload from countersign_app;
create trigger audit_payload_no_update before update on audit_payload
  for each row execute function countersign_refuse_change();
create trigger audit_payload_no_truncate before truncate on audit_payload
  for each statement execute function countersign_refuse_change();

create table audit_retention (
  tenant_id uuid not null,
  keep_days integer not null constraint audit_retention_keep_days_check check (keep_days between 30 and 36500),
  set_at timestamptz not null,
  constraint audit_retention_pk primary key (tenant_id)
);

comment on table audit_retention is 'How long payloads are kept; a tenant without a row keeps them for ever.';
comment on column audit_retention.tenant_id is 'The tenant it belongs to.';
comment on column audit_retention.keep_days is 'Days after which a payload is erased; at least 30.';
comment on column audit_retention.set_at is 'When the rule was last set, by the database''s clock.';

select countersign_protect('audit_retention');
select countersign_system_reads('audit_retention');

-- The one way a payload goes: only of the current tenant, and only what its retention rule lets go.
select countersign_system_reads('audit_entry');
select countersign_system_reads('audit_payload');
grant delete on audit_payload to countersign_system;
create policy audit_payload_system_erase on audit_payload for delete to countersign_system
  using (tenant_id = (select countersign_current_tenant()));

create function audit_erase_payloads(at_most integer) returns table (tenant_id uuid, id uuid)
  language sql volatile security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    delete from audit_payload payload
     using (
       select entry.tenant_id, entry.id
         from audit_retention rule
         join audit_entry entry
           on entry.tenant_id = rule.tenant_id
          and entry.occurred_at < clock_timestamp() - make_interval(days => rule.keep_days)
         join audit_payload kept on kept.tenant_id = entry.tenant_id and kept.entry_id = entry.id
        where rule.tenant_id = countersign_current_tenant()
        order by entry.occurred_at, entry.id
        limit at_most
     ) due
     where payload.tenant_id = due.tenant_id and payload.entry_id = due.id
     returning payload.tenant_id, payload.entry_id;
  end;
select countersign_system_function('audit_erase_payloads(integer)');

comment on function audit_erase_payloads(integer) is
  'Erases the current tenant''s payloads that its retention rule no longer keeps, oldest first; returns their entries.';

create table audit_pending (
  tenant_id uuid not null,
  entry_number bigint not null,
  entry_id uuid not null,
  constraint audit_pending_pk primary key (tenant_id, entry_number)
);
alter table audit_pending set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000);

comment on table audit_pending is 'Entries without a leaf. A row is there from the insert until the leaf is, so no cursor can pass a late commit.';
comment on column audit_pending.tenant_id is 'The tenant it belongs to.';
comment on column audit_pending.entry_number is 'The entry''s order number.';
comment on column audit_pending.entry_id is 'The entry.';

select countersign_protect('audit_pending');
select countersign_system_reads('audit_pending');

create function audit_entry_await_leaf() returns trigger
  language plpgsql as $$
begin
  insert into audit_pending (tenant_id, entry_number, entry_id) values (new.tenant_id, new.entry_number, new.id);
  return null;
end $$;

comment on function audit_entry_await_leaf() is 'Trigger: every inserted entry awaits its leaf.';

create trigger audit_entry_await_leaf after insert on audit_entry
  for each row execute function audit_entry_await_leaf();

-- One call from the service, and plans that the session keeps: planning three inserts anew would cost an action more
-- than making them.
create function audit_append(
  new_id uuid, new_level text, new_action text, new_actor jsonb, new_subject_type text, new_subject_id text,
  new_task_id uuid, new_plan_id uuid, new_run_id uuid, new_decision_id uuid, new_evidence jsonb,
  new_payload_digest bytea, new_salt bytea, new_payload text, digests text[]
) returns void
  language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
begin
  insert into audit_entry (tenant_id, id, level, action, actor, subject_type, subject_id, task_id, plan_id, run_id,
                           decision_id, evidence, payload_digest)
  values (tenant, new_id, new_level, new_action, new_actor, new_subject_type, new_subject_id, new_task_id, new_plan_id,
          new_run_id, new_decision_id, new_evidence, new_payload_digest);
  insert into audit_payload (tenant_id, entry_id, salt, payload) values (tenant, new_id, new_salt, new_payload);
  if digests <> '{}' then
    insert into audit_evidence (tenant_id, digest, entry_id)
    select distinct tenant, digest, new_id from unnest(digests) digest;
  end if;
end $$;

comment on function audit_append(uuid, text, text, jsonb, text, text, uuid, uuid, uuid, uuid, jsonb, bytea, bytea, text, text[]) is
  'Inserts an entry of the current tenant with its payload and the index of its evidence, with the rights of the caller.';

create function audit_unsequenced_tenants() returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    -- Hops from tenant to tenant along the key, so that a long backlog of one costs nothing here.
    with recursive hop as (
      (select p.tenant_id, p.entry_id from audit_pending p order by p.tenant_id, p.entry_number limit 1)
      union all
      select following.tenant_id, following.entry_id
        from hop
        cross join lateral (
          select p.tenant_id, p.entry_id from audit_pending p
           where p.tenant_id > hop.tenant_id
           order by p.tenant_id, p.entry_number limit 1
        ) following
    )
    select hop.tenant_id, hop.entry_id from hop;
  end;
select countersign_system_function('audit_unsequenced_tenants()');

comment on function audit_unsequenced_tenants() is 'Tenants with entries that have no leaf yet, each with its oldest such entry.';

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
comment on column audit_epoch.reason is 'Why it started.';

select countersign_protect('audit_epoch');
select countersign_append_only('audit_epoch');

create table audit_leaf (
  tenant_id uuid not null,
  epoch integer not null,
  leaf_index bigint not null constraint audit_leaf_index_check check (leaf_index >= 0),
  entry_id uuid not null,
  leaf_hash bytea not null constraint audit_leaf_hash_check check (octet_length(leaf_hash) = 32),
  constraint audit_leaf_pk primary key (tenant_id, epoch, leaf_index),
  constraint audit_leaf_entry_key unique (tenant_id, entry_id),
  constraint audit_leaf_epoch_fk foreign key (tenant_id, epoch) references audit_epoch (tenant_id, epoch)
);

comment on table audit_leaf is 'Leaves of the tenant''s Merkle tree (RFC 6962), insert-only.';
comment on column audit_leaf.tenant_id is 'The tenant it belongs to.';
comment on column audit_leaf.epoch is 'The tree.';
comment on column audit_leaf.leaf_index is 'Position in the tree, from 0, without gaps.';
comment on column audit_leaf.entry_id is 'The entry it commits to.';
comment on column audit_leaf.leaf_hash is 'SHA-256 of 0x00 and the entry header''s canonical JSON.';

select countersign_protect('audit_leaf');
select countersign_append_only('audit_leaf');

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

comment on function audit_signing_key_only_retires() is 'Trigger: the one change a signing key sees is valid_to, once; SQLSTATE CS001.';

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
  constraint audit_publication_pk primary key (tenant_id, epoch, tree_size),
  constraint audit_publication_checkpoint_fk
    foreign key (tenant_id, epoch, tree_size) references audit_checkpoint (tenant_id, epoch, tree_size)
);

comment on table audit_publication is 'Checkpoints that stand outside this database; a larger one covers the smaller. Insert-only.';
comment on column audit_publication.tenant_id is 'The tenant it belongs to.';
comment on column audit_publication.epoch is 'The tree.';
comment on column audit_publication.tree_size is 'The checkpoint.';
comment on column audit_publication.published_at is 'When the outside confirmed it, by the database''s clock.';

select countersign_protect('audit_publication');
select countersign_append_only('audit_publication');
select countersign_system_reads('audit_publication');
select countersign_system_reads('audit_epoch');

create function audit_unpublished_tenants() returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    with latest as (
      select distinct on (e.tenant_id) e.tenant_id, e.epoch from audit_epoch e order by e.tenant_id, e.epoch desc
    )
    select latest.tenant_id, latest.tenant_id
      from latest
     where (select max(c.tree_size) from audit_checkpoint c
             where c.tenant_id = latest.tenant_id and c.epoch = latest.epoch)
           > coalesce((select max(p.tree_size) from audit_publication p
                        where p.tenant_id = latest.tenant_id and p.epoch = latest.epoch), 0);
  end;
select countersign_system_function('audit_unpublished_tenants()');

comment on function audit_unpublished_tenants() is
  'Tenants whose latest checkpoint is not yet outside; id repeats the tenant, since checkpoints have none.';
