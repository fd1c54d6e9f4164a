package countersign.freeze_test

import data.countersign.freeze
import data.countersign.testing_test

_freeze := {
	"name": "year-end",
	"from": 1,
	"until": 10,
	"until_utc": "1970-01-01T00:00:00.010Z",
	"environments": ["production"],
	"tools": null,
	"may_pass": ["SRELead"],
}

_messages(patch, roles, now, environment) := {reason.message | some reason in _reasons(patch, roles, now, environment)}

_reasons(patch, roles, now, environment) := reasons if {
	reasons := freeze.reasons with input as object.union(
		testing_test.cell("state_change_prod", environment, {"mode": "full_auto"}),
		{"now": now, "freeze": {"active": [object.union(_freeze, patch)], "starter_roles": roles}},
	)
}

_told := {"The freeze year-end is in force until 1970-01-01T00:00:00.010Z"}

test_in_force if _messages({}, [], 5, "production") == _told

test_details_have_the_end if {
	some reason in _reasons({}, [], 5, "production")
	reason.details == {"until": "1970-01-01T00:00:00.010Z"}
}

test_from_its_first_millisecond_until_before_its_last if {
	_messages({}, [], 0, "production") == set()
	_messages({}, [], 1, "production") == _told
	_messages({}, [], 9, "production") == _told
	_messages({}, [], 10, "production") == set()
}

test_who_may_pass if {
	_messages({}, ["SRELead"], 5, "production") == set()
	_messages({}, ["PlatformAdmin"], 5, "production") == _told
	_messages({"may_pass": []}, ["SRELead"], 5, "production") == _told
}

test_elsewhere if {
	_messages({}, [], 5, "staging") == set()
	_messages({"environments": null}, [], 5, "staging") == _told
}

test_tools if {
	_messages({"tools": ["another"]}, [], 5, "production") == set()
	_messages({"tools": ["a_tool"]}, [], 5, "production") == _told
}

test_reading_is_never_frozen if {
	reasons := freeze.reasons with input as object.union(
		testing_test.cell("read_only", "production", {"mode": "full_auto"}),
		{"now": 5, "freeze": {"active": [_freeze], "starter_roles": []}},
	)
	reasons == set()
}
