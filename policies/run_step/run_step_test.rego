package countersign.run_step_test

import data.countersign.run_step
import data.countersign.testing_test

test_default_deny if {
	run_step.decision.outcome == "deny" with input as {}
	run_step.decision.reasons[0].code == "policy.default_deny" with input as {}
}

test_default_deny_of_anything_else[note] if {
	some note, anything in {"null": null, "text": "allow", "array": [], "number": 1, "allow": {"outcome": "allow"}}
	run_step.decision.outcome == "deny" with input as anything
}

test_run_step_fixtures[case.name] if {
	some case in data.fixtures.run_step
	decision := run_step.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

# Evidence and reports of impact show a rule by its name.
test_reasons_name_their_rules if {
	named := {reason.rule |
		some case in data.fixtures.run_step
		decision := run_step.decision with input as case.input
		some reason in decision.reasons
		reason.code in {"run.as_approved", "run.beyond_canary"}
	}
	named == {"countersign.run_step.approved", "countersign.run_step.canary"}
}

test_there_are_fixtures if {
	count(data.fixtures.run_step) > 0
}
