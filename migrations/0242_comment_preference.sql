-- Comments that concern a person go out by e-mail and to their browsers unless they say otherwise.

alter table notification_preference add column email_comments boolean not null default true;
alter table notification_preference add column push_comments boolean not null default true;
comment on column notification_preference.email_comments is 'By e-mail: comments that concern the person.';
comment on column notification_preference.push_comments is 'In their browsers: comments that concern the person.';
