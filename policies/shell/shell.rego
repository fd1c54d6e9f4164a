# METADATA
# title: Command lines
# description: |
#   The classifier's verdict on the command line of a single call (ADR-007). Such a call has the risk of its command line, not of its
#   tool.
package countersign.shell

# METADATA
# title: A command line is there
# description: True if the call would execute a command line.
present if input.shell != null

# METADATA
# title: Risk
# description: Tier 1 only reads, in production too. Any other tier changes state, in production as a prod tool does.
risk := "read_only" if input.shell.tier == 1

else := "state_change_prod" if {
	input.shell.tier in {2, 3}
	input.environment.production
}

else := "state_change_nonprod" if input.shell.tier in {2, 3}

_effects := {"READ_ONLY": "read", "DESTRUCTIVE": "destructive", "ESCALATION": "destructive"}

# METADATA
# title: Effect
# description: The effect that a tool with this class would declare.
effect := object.get(_effects, input.shell.class, "modify")

_denied contains "Tier 3" if input.shell.tier == 3

_denied contains "ESCALATION" if input.shell.class == "ESCALATION"

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
