-- What a turn of a run looks at is found without reading the whole run.

create index run_step_batch_idx on run_step (tenant_id, run_id, phase_index, batch_index, position);
create index run_step_open_idx on run_step (tenant_id, run_id) where lease_until is not null or state = 'unknown';
create index health_result_healthy_idx on health_result (tenant_id, run_id, phase_index, batch_index) where verdict = 'healthy';
