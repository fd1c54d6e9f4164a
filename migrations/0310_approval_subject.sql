-- An approval request asks about a subject: its kind, and its id among things of that kind. Kinds share one pair of
-- columns; each kind has a generated column of its own, so that a foreign key holds.

alter table approval_request drop constraint approval_request_plan_fk;
alter table approval_request rename column plan_id to subject_id;
alter table approval_request add column subject_type text not null default 'plan'
  constraint approval_request_subject_type_check check (subject_type in ('plan'));
alter table approval_request alter column subject_type drop default;
alter table approval_request add column plan_id uuid generated always as (case subject_type when 'plan' then subject_id end) stored;
alter table approval_request add constraint approval_request_plan_fk
  foreign key (tenant_id, plan_id) references plan (tenant_id, id);
alter index approval_request_plan_idx rename to approval_request_subject_idx;

comment on column approval_request.subject_type is 'The kind of the subject: plan.';
comment on column approval_request.subject_id is 'The subject asked about; of a plan, its revision.';
comment on column approval_request.plan_id is 'The subject''s id if it is a plan; generated for the foreign key.';
