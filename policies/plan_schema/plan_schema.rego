# METADATA
# title: Schema of a plan
# description: Rules about a plan's form beyond its JSON Schema. While one fails, no other rule is evaluated.
package countersign.plan_schema

import data.countersign.subject

# METADATA
# title: Reasons against the plan's form
# description: Empty plans, tools that are not there or not themselves, phases and calls out of order.
reasons contains reason if {
	count(subject.calls) == 0
	reason := {
		"code": "plan.empty",
		"message": "The plan has no calls",
		"rule": "countersign.plan_schema.empty",
	}
}

reasons contains reason if {
	some key in (subject.call_tool_keys | subject.compensation_tool_keys)
	not _known(key)
	reason := {
		"code": "plan.unknown_tool",
		"message": sprintf("There is no tool %s", [key]),
		"rule": "countersign.plan_schema.unknown_tool",
	}
}

_known(key) if {
	tool := input.tools[key]
	tool.version == floor(tool.version)

	# Wasm has no sprintf of its own, and would ask JavaScript for each tool.
	key == concat("@", [tool.name, format_int(tool.version, 10)])
}

reasons contains reason if {
	some index, phase in input.plan.phases
	phase.index != index
	reason := {
		"code": "plan.phase_order",
		"message": sprintf("Phase %s is not in its place", [phase.name]),
		"rule": "countersign.plan_schema.phase_order",
	}
}

reasons contains reason if {
	count({call.seq | some call in subject.calls}) != count(subject.calls)
	reason := {
		"code": "plan.duplicate_seq",
		"message": "Two calls have the same number",
		"rule": "countersign.plan_schema.duplicate_seq",
	}
}
