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
			{"seq": 0, "tool": "called@1", "targets": [], "compensation": "undoing@1", "compensation_targets": []},
			{"seq": 1, "tool": "called@1", "targets": [], "compensation": null, "compensation_targets": []},
		]}]}]},
	}
	subject.tools == {called, undoing} with input as plan
	subject.called_tools == {called} with input as plan
	subject.state_changes == {called, undoing} with input as plan
	subject.production_changes == {called} with input as plan
}
