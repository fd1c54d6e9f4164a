-- What each person wants to be told by e-mail and in their browsers. Without a row, everything.

create table notification_preference (
  tenant_id uuid not null,
  person_id uuid not null,
  email_requests boolean not null,
  email_reminders boolean not null,
  push_requests boolean not null,
  push_reminders boolean not null,
  updated_at timestamptz not null,
  constraint notification_preference_pk primary key (tenant_id, person_id),
  constraint notification_preference_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id)
);
select countersign_protect('notification_preference');
comment on table notification_preference is 'What a person wants to be told, and how; everything where there is no row.';
comment on column notification_preference.tenant_id is 'The tenant it belongs to.';
comment on column notification_preference.person_id is 'Whose it is.';
comment on column notification_preference.email_requests is 'By e-mail: requests and changes that wait for the person.';
comment on column notification_preference.email_reminders is 'By e-mail: reminders of them.';
comment on column notification_preference.push_requests is 'In their browsers: requests and changes that wait for the person.';
comment on column notification_preference.push_reminders is 'In their browsers: reminders of them.';
comment on column notification_preference.updated_at is 'When it was last set.';
