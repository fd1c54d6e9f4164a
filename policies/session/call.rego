# METADATA
# title: A call as presets see it
# description: |
#   Tier, level, category and effect of a single call. For a command line they follow from its verdict, else from the tool. If the
#   verdict on its paths is stricter, they follow from that.
package countersign.session_call

import data.countersign.paths
import data.countersign.shell
import data.countersign.subject

_tool := subject.single

_changes if _tool.risk in subject.state_change_risks

_declares_change if input.tool.risk in subject.state_change_risks

# METADATA
# title: Effect
# description: As the tool declares it. A tool with the risk of a state change modifies, even if it declares that it reads.
effect := "modify" if {
	_tool.effect == "read"
	_changes
} else := _tool.effect

# METADATA
# title: Tier
# description: Of a tool without a command line, 1 if it only reads. The network is Tier 2, since a request can carry data out.
tier := input.shell.tier if shell.present

else := 1 if {
	effect == "read"
	_tool.surface != "network"
}

else := 2

_class_levels := {
	"READ_ONLY": "low",
	"BUILD_TEST": "low",
	"WRITE": "medium",
	"NETWORK": "medium",
	"DESTRUCTIVE": "high",
	"UNKNOWN": "high",
}

# METADATA
# title: Level
# description: |
#   Of a command line, the level of its class. Any other call has the level of the tool, as libs/registry/tool derives it (a test
#   holds both equal). If the level of its paths is higher, it has that. A contradiction is critical, and so is a production
#   change, which no session allows.
level := object.get(_class_levels, input.shell.class, "critical") if shell.present

# Other grave paths are of the least level, so that the tool's is the stricter one.
else := "high" if {
	_of_unknown_paths
	_tool_level in {"low", "medium"}
}

else := _tool_level

_of_unknown_paths if {
	paths.grave(input.paths)
	input.paths.class == "UNKNOWN"
}

_tool_level := "medium" if {
	_reads
	input.tool.surface == "network"
}

else := "low" if _reads

else := "high" if {
	_modifies
	input.tool.scope == "organization"
}

else := "high" if {
	_modifies
	input.tool.surface in {"git", "terminal"}
}

else := "medium" if _modifies

else := "high" if {
	input.tool.risk == "state_change_nonprod"
	input.tool.effect == "destructive"
	input.tool.scope != "organization"
}

else := "critical"

_reads if {
	input.tool.effect == "read"
	not _declares_change
}

_modifies if {
	input.tool.risk == "state_change_nonprod"
	input.tool.effect == "modify"
}

_class_categories := {"READ_ONLY": "terminal-read", "NETWORK": "network"}

# The editor reaches assets through its terminal alone, so a change of one counts as a write there. So does destruction on a
# surface that it only reads.
_categories := {
	"asset": {"read": "read"},
	"workspace": {"read": "read", "modify": "workspace-write", "destructive": "workspace-write"},
	"git": {"read": "git-read", "modify": "git-write", "destructive": "git-write"},
	"terminal": {"read": "terminal-read"},
	"network": {"read": "network", "modify": "network"},
	"audio": {"read": "audio-input", "modify": "audio-output"},
}

# METADATA
# title: Category
# description: |
#   The category of an editor's skills, from the tool's surface and effect; of a command line, from its class. Paths move no call to
#   another category.
category := object.get(_class_categories, input.shell.class, "terminal-write") if shell.present

else := object.get(_categories, [input.tool.surface, _declared_effect], "terminal-write")

_declared_effect := "modify" if {
	input.tool.effect == "read"
	_declares_change
} else := input.tool.effect
