package countersign.subject_test

import data.countersign.subject
import data.countersign.testing_test

test_compensations_are_tools_but_not_called if {
	called := testing_test.tool("called", "state_change_prod")
	undoing := testing_test.tool("undoing", "state_change_nonprod")
	unused := testing_test.tool("unused", "state_change_prod")
	plan := {
		"tools": {"called@1": called, "undoing@1": undoing, "unused@1": unused},
		"plan": {"phases": [{"batches": [{"calls": [
			{"seq": 0, "tool": "called@1", "compensation": "undoing@1", "shell": null, "compensation_shell": null, "paths": null, "compensation_paths": null},
			{"seq": 1, "tool": "called@1", "compensation": null, "shell": null, "compensation_shell": null, "paths": null, "compensation_paths": null},
		]}]}]},
	}
	subject.tools == {called, undoing} with input as plan
	subject.called_tools == {called} with input as plan
	subject.state_changes == {called, undoing} with input as plan
	subject.production_changes == {called} with input as plan
}

test_a_command_line_has_its_own_risk if {
	line := {
		"tool": testing_test.tool("shell", "state_change_prod"),
		"shell": {"tier": 1, "class": "READ_ONLY"},
		"environment": {"production": true},
	}
	subject.single.risk == "read_only" with input as line
	subject.single.effect == "read" with input as line
	count(subject.production_changes) == 0 with input as line
}

test_without_a_command_line_the_tool_says_its_risk if {
	tool := testing_test.tool("called", "state_change_prod")
	subject.single == tool with input as {"tool": tool, "shell": null}
	subject.single == tool with input as {"tool": tool}
}

test_a_verdict_without_a_known_tier_leaves_no_tool if {
	tool := testing_test.tool("shell", "read_only")
	count(subject.tools) == 0 with input as {"tool": tool, "shell": {"class": "WRITE"}}
}

test_each_call_of_a_plan_has_the_risk_of_its_line if {
	tool := testing_test.tool("shell", "state_change_nonprod")
	read := {"seq": 0, "tool": "shell@1", "compensation": null, "shell": {"tier": 1, "class": "READ_ONLY"}, "compensation_shell": null, "paths": null, "compensation_paths": null}
	write := {
		"seq": 1,
		"tool": "shell@1",
		"compensation": "shell@1",
		"shell": {"tier": 2, "class": "WRITE"},
		"compensation_shell": {"tier": 2, "class": "DESTRUCTIVE"},
		"paths": null,
		"compensation_paths": null,
	}
	plan := {
		"environment": {"production": true},
		"tools": {"shell@1": tool},
		"plan": {"phases": [{"batches": [{"calls": [read, write]}]}]},
	}
	subject.called_by(read).risk == "read_only" with input as plan
	subject.called_by(write).risk == "state_change_prod" with input as plan
	subject.undone_by(write).effect == "destructive" with input as plan
	{[found.risk, found.effect] | some found in subject.tools} == {
		["read_only", "read"],
		["state_change_prod", "modify"],
		["state_change_prod", "destructive"],
	} with input as plan
	{found.effect | some found in subject.called_tools} == {"read", "modify"} with input as plan
	{found.effect | some found in subject.production_changes} == {"modify", "destructive"} with input as plan
}

test_a_line_changes_targets_unless_it_and_its_paths_only_read[note] if {
	some note, case in {
		"a line that reads": {"line": {"tier": 1, "class": "READ_ONLY"}, "paths": "READ_ONLY", "changes": false},
		"a line that reads, of a path of code": {"line": {"tier": 1, "class": "READ_ONLY"}, "paths": "CODE", "changes": true},
		"a tool that changes": {"line": null, "paths": "READ_ONLY", "changes": true},
	}
	plan := {"environment": {"production": false}, "tools": {"shell@1": testing_test.tool("shell", "state_change_nonprod")}}
	case.changes == _changes(plan, case.line, {"tier": 2, "class": case.paths})
}

_changes(plan, line, named) if {
	subject.changes("shell@1", line, named) with input as plan
} else := false
