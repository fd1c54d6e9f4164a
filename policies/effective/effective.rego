# METADATA
# title: Autonomy in force
# description: |
#   The settings of the tenant's document for this environment and a tool. An environment's setting replaces the tenant's.
#   A tool override can only tighten. Without a document everything is plan_only.
package countersign.effective

_document := input.autonomy.autonomy

_environment := _document.environments[input.environment.name]

_rank := {"plan_only": 0, "canary_only": 1, "full_auto": 2}

# METADATA
# title: The environment is named
# description: True if the document has a block for this environment. An environment without one has no approvers.
named if _environment

# METADATA
# title: The environment's mode
# description: The mode before tool overrides, and the line it comes from.
environment_mode := {"mode": _environment.mode, "source": concat(".", ["environments", input.environment.name, "mode"])} if {
	_environment.mode
} else := {"mode": _document.mode, "source": "mode"} if {
	_document.mode
} else := {"mode": "plan_only", "source": "default"}

# METADATA
# title: A tool's mode
# description: The environment's mode, or the tool override's if that is stricter.
tool_mode(name) := {"mode": mode, "source": concat(".", ["tool_overrides", name, "mode"])} if {
	mode := _document.tool_overrides[name].mode
	_rank[mode] < _rank[environment_mode.mode]
} else := environment_mode

_modes contains [_rank[effective.mode], effective.source, effective.mode] if {
	some tool in data.countersign.subject.state_changes
	effective := tool_mode(tool.name)
}

# METADATA
# title: The mode in force
# description: The strictest mode of the state changes; the environment's if nothing changes state.
mode := {"mode": strictest[2], "source": strictest[1]} if {
	strictest := min(_modes)
} else := environment_mode

# METADATA
# title: A setting
# description: The environment's value, else the tenant's default.
setting(key) := value if {
	value := _environment[key]
} else := value if {
	value := _document[key]
}

# METADATA
# title: A tool override's setting
# description: The value in the document's block for this tool.
override(name, key) := _document.tool_overrides[name][key]

# METADATA
# title: A tool is overridden
# description: True if the document has a block for this tool.
overridden(name) if _document.tool_overrides[name]

# METADATA
# title: A switch is on
# description: True if the environment, the tenant's default or the tool override turns a requirement on.
required(_, key) if setting(key) == true

required(name, key) if override(name, key) == true

# METADATA
# title: A person must approve
# description: |
#   Always for prod tools and tools that declare it; for nonprod tools if the tenant says so. A prod tool needs a person even
#   if it declares that it never does.
needs_person(tool) if tool.risk == "state_change_prod"

needs_person(tool) if tool.requires_hitl == "always"

needs_person(tool) if {
	tool.risk == "state_change_nonprod"
	required(tool.name, "require_approval")
}
