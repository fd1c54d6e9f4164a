# METADATA
# title: Command lines
# description: |
#   The classifier's verdicts on the command lines of a single call, of a plan and of a step (ADR-007). A call that executes one has
#   the risk of its command line, not of its tool.
package countersign.shell

# METADATA
# title: A command line is there
# description: True if the single call would execute a command line.
present if input.shell != null

# METADATA
# title: Risk
# description: Tier 1 only reads, in production too. Any other tier changes state, in production as a prod tool does.
risk(verdict) := "read_only" if verdict.tier == 1

else := "state_change_prod" if {
	verdict.tier in {2, 3}
	input.environment.production
}

else := "state_change_nonprod" if verdict.tier in {2, 3}

_effects := {"READ_ONLY": "read", "DESTRUCTIVE": "destructive", "ESCALATION": "destructive"}

# METADATA
# title: Effect
# description: The effect that a tool with this class would declare.
effect(verdict) := object.get(_effects, verdict.class, "modify")

# METADATA
# title: A tool as its command line is judged
# description: |
#   The tool with the risk and effect of the line. Null is a call without a line. A tool that may go without a simulation outside
#   production needs one for a change in production.
judged(tool, verdict) := tool if verdict == null

else := object.union_n([tool, {"risk": risk(verdict), "effect": effect(verdict)}, _simulated(tool, verdict)])

_simulated(tool, verdict) := {"simulation": "required"} if {
	tool.risk == "state_change_nonprod"
	risk(verdict) == "state_change_prod"
} else := {}

# METADATA
# title: A tool of a plan as its command line is judged
# description: |
#   As judged. A person approves any line beyond Tier 1 (ADR-007). A plan is no way past the question that a single call asks. A
#   prod tool asks because of its risk, so a line of it that only reads asks nobody.
planned(tool, verdict) := tool if verdict == null

else := object.union(judged(tool, verdict), {"requires_hitl": "always"}) if verdict.tier > 1

else := object.union(judged(tool, verdict), {"requires_hitl": "configurable"}) if tool.risk == "state_change_prod"

else := judged(tool, verdict)

_verdicts contains input.shell if present

_verdicts contains call.shell if {
	some call in input.plan.phases[_].batches[_].calls
	call.shell != null
}

_verdicts contains call.compensation_shell if {
	some call in input.plan.phases[_].batches[_].calls
	call.compensation_shell != null
}

_verdicts contains input.step.shell if input.step.shell != null

_denied contains "Tier 3" if {
	some verdict in _verdicts
	verdict.tier == 3
}

_denied contains "ESCALATION" if {
	some verdict in _verdicts
	verdict.class == "ESCALATION"
}

# METADATA
# title: Denied command lines
# description: Tier 3 and ESCALATION are denied always. No approval, session or break-glass lifts them.
reasons contains reason if {
	some what in _denied
	reason := {
		"code": "shell.denied",
		"message": sprintf("%s commands are always denied. Classify the command line, and leave out the parts that are %s", [what, what]),
		"rule": "countersign.shell",
	}
}
