# METADATA
# title: Facts are there
# description: |
#   A rule that refuses by a fact would pass if the fact is missing. So each decision needs every fact that its rules read;
#   otherwise it is a deny. The schema checks the types of facts.
package countersign.facts

import data.countersign.subject

_risks := {"read_only", "plan_only", "state_change_nonprod", "state_change_prod"}

_tool_members := {"name", "version", "risk", "requires_plan", "requires_hitl", "simulated_by", "simulation", "canary"}

# A member that is false or null is there.
_has(holder, members) if {
	every member in members {
		_ = holder[member]
	}
}

# METADATA
# title: Autonomy is there
# description: A document with a mode, or null if the tenant has none.
autonomy if input.autonomy == null

autonomy if _has(input.autonomy.autonomy, {"mode"})

# METADATA
# title: Tools are there
# description: At least one, each with the members that rules read and a known risk.
tools if {
	count(subject.tools) > 0
	every tool in subject.tools {
		_has(tool, _tool_members)
		tool.risk in _risks
	}
}

# METADATA
# title: The environment is there
# description: Its name, and whether it is production.
environment if _has(input.environment, {"name", "production"})

# METADATA
# title: Halts are there
# description: An array, empty if none applies.
halts if {
	is_array(input.halts)
	every halt in input.halts {
		_has(halt, {"kind"})
	}
}

# A session with an unknown preset would ask about nothing.
_presets := {null, "tiers", "levels", "modes", "cautious"}

# METADATA
# title: The session is there
# description: Null, or its settings, with the members of the tool that presets read.
session if input.session == null

session if {
	_has(input.session, {"level", "mode"})
	input.session.preset in _presets
	is_boolean(input.session.trusted)
	_has(input.tool, {"effect", "surface", "scope"})
}

_shell_classes := {"READ_ONLY", "BUILD_TEST", "WRITE", "NETWORK", "UNKNOWN", "DESTRUCTIVE", "ESCALATION"}

# METADATA
# title: The shell verdict is there
# description: Null, or a tier and a class.
shell if verdict(input.shell)

# METADATA
# title: A verdict is whole
# description: Null, or a tier and a class that there are.
verdict(of) if of == null

verdict(of) if {
	of.tier in {1, 2, 3}
	of.class in _shell_classes
}

# METADATA
# title: The version is there
# description: The digest of the tool's version and its effect. Also its acceptance by the tenant's list of safe tools, or null.
version if {
	_has(input, {"digest", "accepted"})
	_has(input.tool, {"effect"})
}

_path_classes := {"READ_ONLY", "WRITE", "UNKNOWN"}

# METADATA
# title: The verdict on paths is there
# description: Null, or a tier and a class.
paths if path_verdict(input.paths)

# METADATA
# title: A verdict on paths is whole
# description: Null, or a tier and a class that there are.
path_verdict(of) if of == null

path_verdict(of) if {
	of.tier in {1, 2}
	of.class in _path_classes
}

# METADATA
# title: Freezes are there
# description: The time now, the freezes that may be in force, and the roles of the starter.
freezes if {
	is_number(input.now)
	is_array(input.freeze.starter_roles)
	is_array(input.freeze.active)
	every freeze in input.freeze.active {
		_has(freeze, {"name", "from", "until", "until_utc", "environments", "tools", "may_pass"})
	}
}

_phases if {
	every phase in input.plan.phases {
		_has(phase, {"index", "name", "canary", "has_rollback_condition", "batches"})
		every batch in phase.batches {
			_has(batch, {"index", "calls"})
			every call in batch.calls {
				_has(call, {"seq", "tool", "targets", "compensation", "compensation_targets"})
				verdict(call.shell)
				verdict(call.compensation_shell)
				path_verdict(call.paths)
				path_verdict(call.compensation_paths)
			}
		}
	}
}

# METADATA
# title: The plan is there
# description: Task, environment, tools, the whole expansion and halts. The rules report errors in them.
plan if {
	_has(input, {"now", "tools"})
	_has(input.task.constraints, {"canary_required", "max_batch_percent", "rollback_trigger"})
	_has(input.plan, {"phases"})
	_phases

	# As registered: a verdict takes the place of some members.
	every tool in input.tools {
		_has(tool, _tool_members)
		tool.risk in _risks
	}
	environment
	autonomy
	halts
}

# METADATA
# title: The approval is there
# description: Null, or its state, end and reviewers, with the terms it was given on.
approval if input.approval == null

approval if {
	_has(input.approval, {"state", "expires_at", "reviewers"})
	every reviewer in input.approval.reviewers {
		_has(reviewer, {"person_id", "delegated_by", "shared_with", "roles", "slot_roles"})
	}
}

# METADATA
# title: The approved terms are there
# description: Outcome and every obligation.
approved if {
	_has(input.approved, {"outcome", "obligations"})
	_has(input.approved.obligations, {"approvals", "mfa", "phases", "valid_minutes"})
	every slot in input.approved.obligations.approvals {
		_has(slot, {"count", "roles"})
	}
}

# METADATA
# title: The simulation is there
# description: Null, or its state, whether it is of this plan, and its age.
simulation if input.simulation == null

simulation if _has(input.simulation, {"state", "digest_matches", "age_seconds"})
