package countersign.plan_schema_test

import data.countersign.plan_schema

test_a_plan_that_is_not_there_is_empty if {
	some reason in plan_schema.reasons with input as {}
	reason.code == "plan.empty"
}
