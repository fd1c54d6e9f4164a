-- Whether a checkpoint left the data folder: the set-up checklist tells an admin whether the log is watched from outside.
alter table audit_publication add column elsewhere boolean not null default false;
comment on column audit_publication.elsewhere is
  'Whether it went to a destination that the operator named. False: to the folder beside the data, from which somebody has to copy it.';
