# METADATA
# title: Paths of calls
# description: |
#   The verdicts on the paths that calls name. A call that reads secrets, writes code or may leave the workspace is graver than
#   its tool. It counts as a change, and asks as Tier 2 does. A verdict never takes the place of a change that the tool declares.
#   So a nonprod tool stays out of production with every path.
package countersign.paths

_state_change_risks := {"state_change_nonprod", "state_change_prod"}

# METADATA
# title: Graver than the tool
# description: True beyond Tier 1, but for an ordinary write. Null is a call without paths, and is not.
grave(verdict) if {
	verdict.tier == 2
	verdict.class != "WRITE"
}

_risk(tool) := tool.risk if tool.risk in _state_change_risks

else := "state_change_prod" if input.environment.production

else := "state_change_nonprod"

# A missing effect counts as a change: without a value the tool would fall out of its set.
_effect(tool) := tool.effect if tool.effect != "read"

else := "modify"

# METADATA
# title: A tool as its paths are judged
# description: The tool, with the risk and effect of a change if its paths are grave.
judged(tool, verdict) := object.union(tool, {"risk": _risk(tool), "effect": _effect(tool)}) if grave(verdict)

else := tool

# METADATA
# title: A tool of a plan as its paths are judged
# description: As judged. A person approves grave paths, because a plan is no way past the question that a single call asks.
planned(tool, verdict) := object.union(judged(tool, verdict), {"requires_hitl": "always"}) if grave(verdict)

else := tool
