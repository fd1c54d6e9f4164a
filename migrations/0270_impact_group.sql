-- The decisions that a change would have taken otherwise, by kind. They stood in the progress of the report, which each batch writes.

create table impact_group (
  tenant_id uuid not null constraint impact_group_tenant_fk references tenant (id),
  report_id uuid not null,
  kind_digest bytea not null constraint impact_group_kind_digest_check check (octet_length(kind_digest) = 32),
  kind jsonb not null,
  count integer not null constraint impact_group_count_check check (count > 0),
  estimate double precision not null constraint impact_group_estimate_check check (estimate > 0),
  examples jsonb not null constraint impact_group_examples_check check (jsonb_array_length(examples) between 1 and 5),
  constraint impact_group_pk primary key (tenant_id, report_id, kind_digest),
  constraint impact_group_report_fk foreign key (tenant_id, report_id) references impact_report (tenant_id, id) on delete cascade
);

comment on table impact_group is 'Decisions that come out otherwise with a change, in the same way.';
comment on column impact_group.tenant_id is 'The tenant it belongs to.';
comment on column impact_group.report_id is 'The report that found it.';
comment on column impact_group.kind_digest is 'SHA-256 of the text of kind.';
comment on column impact_group.kind is 'Gate, environment, tools, agent, both outcomes, the parts that differ and the rules.';
comment on column impact_group.count is 'How many of the decisions that were looked at.';
comment on column impact_group.estimate is 'How many of the whole period, as the sample says.';
comment on column impact_group.examples is 'The first of them, the oldest first.';

select countersign_protect('impact_group');

insert into impact_group (tenant_id, report_id, kind_digest, kind, count, estimate, examples)
select report.tenant_id, report.id, sha256(convert_to(kind::text, 'UTF8')), kind,
       (one ->> 'count')::integer, (one ->> 'estimate')::double precision, one -> 'examples'
  from impact_report report
 cross join jsonb_array_elements(report.progress #> '{tally,groups}') one
 cross join lateral (select one - array['count', 'estimate', 'examples'] as kind) split;

update impact_report
   set progress = progress #- '{tally,groups}' #- '{tally,ungrouped}' #- '{tally,estimates,ungrouped}';
