# METADATA
# title: Simulation first
# description: Every state change that can be simulated has been, from exactly this plan and not too long ago.
package countersign.simulation

import data.countersign.effective
import data.countersign.subject

_default_valid_minutes := 1440

_valid_minutes := minutes if {
	minutes := effective.setting("simulation_valid_minutes")
} else := _default_valid_minutes

_needed contains tool if {
	some tool in subject.called_tools
	tool.risk in subject.state_change_risks
	tool.simulation == "required"
}

_done if {
	input.simulation.state == "succeeded"
	input.simulation.digest_matches
}

# METADATA
# title: Reasons against the simulation
# description: It is missing, of another plan, or too old.
reasons contains reason if {
	some tool in _needed
	not _done
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

reasons contains reason if {
	count(_needed) > 0
	_done
	input.simulation.age_seconds > _valid_minutes * 60
	reason := {
		"code": "simulation.stale",
		"message": sprintf("The simulation is older than %d minutes: simulate again", [_valid_minutes]),
		"rule": "countersign.simulation.fresh",
	}
}
