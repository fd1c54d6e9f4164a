# METADATA
# title: The subject of a decision
# description: The tools and calls of the input, whether it brings an expanded plan or a single tool.
package countersign.subject

import data.countersign.paths
import data.countersign.shell

# METADATA
# title: Risks that change state
# description: ADR-009's two upper risk levels.
state_change_risks := {"state_change_nonprod", "state_change_prod"}

# METADATA
# title: Calls
# description: Every expanded call of the plan, in order.
calls := [call |
	some phase in input.plan.phases
	some batch in phase.batches
	some call in batch.calls
]

# METADATA
# title: Tools that calls name
# description: Keys of the tools that the plan's calls use; compensations are not among them.
call_tool_keys := {call.tool | some call in calls}

# METADATA
# title: Tools that compensations name
# description: Keys of the tools that would undo the plan's calls.
compensation_tool_keys := {call.compensation |
	some call in calls
	call.compensation != null
}

# METADATA
# title: The tool of a single call
# description: With the risk and effect of its command line, if it would execute one, or of its paths.
single := paths.judged(_lined, object.get(input, "paths", null))

_lined := shell.judged(input.tool, object.get(input, "shell", null))

# METADATA
# title: The tool of a call
# description: The tool of a call of the plan, as its command line and its paths are judged.
called_by(call) := _planned(call.tool, call.shell, call.paths)

# METADATA
# title: The tool of a compensation
# description: The tool that undoes a call of the plan, as its command line and its paths are judged.
undone_by(call) := _planned(call.compensation, call.compensation_shell, call.compensation_paths)

# METADATA
# title: A call that changes something
# description: A read of secrets counts as a change to every rule that asks people. It still changes no target.
changes(key, line, named) if {
	_planned(key, line, named).risk in state_change_risks
	not _only_reads(key, line, named)
}

_only_reads(_, line, named) if {
	line.class == "READ_ONLY"
	_reads_by_name(named)
}

_only_reads(key, null, named) if {
	not input.tools[key].risk in state_change_risks
	named.class == "READ_ONLY"
}

_reads_by_name(null)

_reads_by_name(named) if named.class == "READ_ONLY"

_planned(key, line, named) := paths.planned(shell.planned(input.tools[key], line), named)

# Tools with their verdicts, each pair once: a plan has many calls of few of them.
_calling := {[call.tool, call.shell, call.paths] | some call in calls}

_undoing := {[call.compensation, call.compensation_shell, call.compensation_paths] |
	some call in calls
	call.compensation != null
}

# METADATA
# title: Tools
# description: The facts of every tool of the input. Each is judged by the command lines and paths of its calls.
tools contains tool if some tool in called_tools

tools contains _planned(key, line, named) if some [key, line, named] in _undoing

# METADATA
# title: Tools that are called
# description: As tools, without those that only compensate.
called_tools contains _planned(key, line, named) if some [key, line, named] in _calling

called_tools contains single

# METADATA
# title: State changes
# description: The tools among them that change state.
state_changes contains tool if {
	some tool in tools
	tool.risk in state_change_risks
}

# METADATA
# title: Production state changes
# description: A prod tool counts as one in every environment.
production_changes contains tool if {
	some tool in tools
	tool.risk == "state_change_prod"
}
