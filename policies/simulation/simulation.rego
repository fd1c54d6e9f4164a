# METADATA
# title: Simulation first
# description: Every state change that can be simulated has been, from exactly this plan and not too long ago.
package countersign.simulation

import data.countersign.effective
import data.countersign.subject
import data.countersign.words

_default_valid_minutes := 1440

_valid_minutes := minutes if {
	minutes := effective.setting("simulation_valid_minutes")
} else := _default_valid_minutes

_needed contains tool if {
	some tool in subject.called_tools
	tool.risk in subject.state_change_risks
	tool.simulation == "required"
}

_of_this_plan if input.simulation.digest_matches

_done if {
	_of_this_plan
	input.simulation.state == "succeeded"
}

# A result on record as stale, by its age or by a later change of its targets, does not count.
_stale if {
	_of_this_plan
	input.simulation.state == "stale"
}

_valid_seconds := _valid_minutes * 60

# METADATA
# title: Reasons against the simulation
# description: It is missing, of another plan, or too old.
reasons contains reason if {
	some tool in _needed
	not _done
	not _stale
	tool.simulated_by != null
	reason := {
		"code": "simulation.required",
		"message": sprintf("Must run %s before %s", [tool.simulated_by, tool.name]),
		"rule": "countersign.simulation.required",
	}
}

reasons contains reason if {
	some tool in _needed
	tool.simulated_by == null
	reason := {
		"code": "simulation.not_declared",
		"message": sprintf("Tool %s names no tool that simulates it", [tool.name]),
		"rule": "countersign.simulation.declared",
	}
}

reasons contains _fresh(sprintf("The simulation is older than %s: simulate again", [words.minutes(_valid_minutes)])) if {
	count(_needed) > 0
	_too_old
}

reasons contains _fresh("The simulation no longer counts: simulate again") if {
	count(_needed) > 0
	_stale
	not _too_old
}

# Its age is rounded down to seconds. So it comes to the limit at the millisecond at which the result is over.
_too_old if {
	_of_this_plan
	input.simulation.state in {"succeeded", "stale"}
	input.simulation.age_seconds >= _valid_seconds
}

_fresh(message) := {
	"code": "simulation.stale",
	"message": message,
	"rule": "countersign.simulation.fresh",
}
