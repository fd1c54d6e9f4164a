-- A message goes to destinations, and a channel of delivery is known by its name: a person's preferences are a row for each
-- channel, so that a further channel needs no column.

alter table outbox_message rename column place to destination;
alter index outbox_message_place_key rename to outbox_message_destination_key;
comment on column outbox_message.cause_id is 'The message that was fanned out to this one; null for a message that a stage wrote.';
comment on column outbox_message.destination is
  'Channel, address and showing: slack:C012:subject, email:<person>:subject, push:<subscription>:subject. Null for a message that a stage wrote.';

drop table notification_preference;
create table notification_preference (
  tenant_id uuid not null,
  person_id uuid not null,
  channel text not null,
  requests boolean not null,
  reminders boolean not null,
  comments boolean not null,
  updated_at timestamptz not null,
  constraint notification_preference_pk primary key (tenant_id, person_id, channel),
  constraint notification_preference_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint notification_preference_channel_check check (channel ~ '^[a-z]{1,20}$')
);
select countersign_protect('notification_preference');
comment on table notification_preference is 'The kinds of messages that a channel brings a person. A person without a row for a channel gets all of them.';
comment on column notification_preference.tenant_id is 'The tenant it belongs to.';
comment on column notification_preference.person_id is 'The person.';
comment on column notification_preference.channel is 'The channel of delivery: email or push.';
comment on column notification_preference.requests is 'Requests and changes that wait for the person.';
comment on column notification_preference.reminders is 'Reminders of them.';
comment on column notification_preference.comments is 'Comments that concern the person.';
comment on column notification_preference.updated_at is 'When it was last set.';
