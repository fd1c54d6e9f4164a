# METADATA
# title: Safety of a plan
# description: |
#   A production plan that changes two or more targets starts with a canary phase. It changes at most 20 percent of its distinct
#   targets in a batch. It has a rollback condition in every phase. The targets of compensations count as well. Tenant and task
#   only lower these limits.
package countersign.safety

import data.countersign.effective
import data.countersign.shell
import data.countersign.subject

_platform_percent := 20

# A call that names no target is aimed at the environment as a whole.
_targets(call) := call.targets if count(call.targets) > 0

else := ["*"]

_compensation_targets(call) := call.compensation_targets if count(call.compensation_targets) > 0

else := ["*"]

_changed(batch) := {target |
	some call in batch.calls
	subject.changes(call.tool, call.shell, call.paths)
	some target in _targets(call)
}

_undone(batch) := {target |
	some call in batch.calls
	call.compensation != null
	subject.changes(call.compensation, call.compensation_shell, call.compensation_paths)
	some target in _compensation_targets(call)
}

_batches := [{
	"phase": phase.index,
	"name": phase.name,
	"batch": batch.index,
	"canary": phase.canary,
	"targets": targets,
	"undoes_all": _undoes_all(batch),
} |
	some phase in input.plan.phases
	some batch in phase.batches
	targets := _changed(batch) | _undone(batch)
	count(targets) > 0
]

default _undoes_all(_) := false

# Undoing a part of it would reach the whole environment: then the batch counts as everything that the plan touches.
_undoes_all(batch) if {
	"*" in _undone(batch)
	not "*" in _changed(batch)
}

_distinct := count({target |
	some batch in _batches
	some target in batch.targets
})

_large_production if {
	count(subject.production_changes) > 0
	_distinct > 1
}

_percents contains _platform_percent if _large_production

_percents contains effective.setting("max_batch_percent")

_percents contains input.task.constraints.max_batch_percent if input.task.constraints.max_batch_percent != null

_percents contains effective.override(tool.name, "max_batch_percent") if some tool in subject.state_changes

_percent := min(_percents)

# One target is always few enough: a batch can't be smaller.
_too_many(size) if {
	size > 1
	size * 100 > _percent * _distinct
}

_size(batches) := _distinct if {
	some batch in batches
	batch.undoes_all
} else := count({target |
	some batch in batches
	some target in batch.targets
})

_undoing(batches) := ", since undoing it reaches the whole environment" if {
	some batch in batches
	batch.undoes_all
} else := ""

# METADATA
# title: Batch size
# description: A batch, or its compensation, changes too large a part of the plan's distinct targets.
reasons contains reason if {
	some batch in _batches
	_too_many(_size([batch]))
	reason := {
		"code": "safety.batch_too_large",
		"message": sprintf(
			"Batch %d of phase %s changes %d of %d targets%s; at most %d percent may change at once",
			[batch.batch + 1, batch.name, _size([batch]), _distinct, _undoing([batch]), _percent],
		),
		"rule": "countersign.safety.batch_size",
	}
}

_canary_needed if _large_production

_canary_needed if {
	input.task.constraints.canary_required
	_distinct > 0
}

_canary_phases := {batch.phase | some batch in _batches; batch.canary}

_later_phases := {batch.phase | some batch in _batches; not batch.canary}

_canary_leads if {
	count(_canary_phases) > 0
	count(_later_phases) == 0
}

_canary_leads if max(_canary_phases) < min(_later_phases)

reasons contains reason if {
	_canary_needed
	not _canary_leads
	reason := {
		"code": "safety.canary_first",
		"message": "The change must start with a canary phase, and canary phases come before all others",
		"rule": "countersign.safety.canary_first",
	}
}

_canary_batches := [batch | some batch in _batches; batch.canary]

reasons contains reason if {
	_canary_needed
	_too_many(_size(_canary_batches))
	reason := {
		"code": "safety.canary_too_large",
		"message": sprintf(
			"The canary phases change %d of %d targets%s; a canary is at most %d percent",
			[_size(_canary_batches), _distinct, _undoing(_canary_batches), _percent],
		),
		"rule": "countersign.safety.canary_size",
	}
}

_rollback_needed if _large_production

_rollback_needed if input.task.constraints.rollback_trigger != null

reasons contains reason if {
	_rollback_needed
	some phase in input.plan.phases
	not phase.has_rollback_condition
	reason := {
		"code": "safety.rollback_condition",
		"message": sprintf("Phase %s has no rollback condition", [phase.name]),
		"rule": "countersign.safety.rollback_condition",
	}
}

# METADATA
# title: Nonprod tools stay out of production
# description: A nonprod tool in a production environment is denied, for a plan's compensations too.
reasons contains reason if {
	input.environment.production
	some tool in subject.tools
	tool.risk == "state_change_nonprod"
	reason := {
		"code": "safety.nonprod_in_production",
		"message": sprintf("Tool %s is not for production, and %s is a production environment", [
			tool.name,
			input.environment.name,
		]),
		"rule": "countersign.safety.nonprod_in_production",
	}
}

# METADATA
# title: Denied command lines stay denied
# description: Here, since the rules of safety are those that break-glass does not lift.
reasons contains reason if some reason in shell.reasons
