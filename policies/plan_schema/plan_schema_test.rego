package countersign.plan_schema_test

import data.countersign.plan_schema

test_a_plan_that_is_not_there_is_empty if {
	some reason in plan_schema.reasons with input as {}
	reason.code == "plan.empty"
}

_of(key, tool) := {
	"tools": {key: tool},
	"plan": {"phases": [{"index": 0, "batches": [{"index": 0, "calls": [{"seq": 0, "tool": key, "compensation": null}]}]}]},
}

test_a_tool_is_known_by_its_name_and_version if {
	count(plan_schema.reasons) == 0 with input as _of("look@1", {"name": "look", "version": 1})
}

test_a_tool_of_another_name_or_version_is_unknown if {
	some tool in [
		{"name": "look", "version": 2},
		{"name": "see", "version": 1},
		{"name": "look", "version": 1.5},
		{"name": "look", "version": "1"},
		{"name": "look"},
	]
	some reason in plan_schema.reasons with input as _of("look@1", tool)
	reason.code == "plan.unknown_tool"
}
