package countersign.approvals_test

import data.countersign.approvals
import data.countersign.testing_test

_slots(block) := slots if {
	slots := approvals.slots with input as testing_test.cell("state_change_prod", "production", {
		"mode": "full_auto",
		"environments": {"production": block},
	})
}

_slot(count, roles) := {"count": count, "roles": roles}

test_slots[note] if {
	some note, case in {
		"any": {"block": {"allowed_approvers": ["A", "any"]}, "slots": [_slot(1, ["any"])]},
		"roles are sorted and counted once": {"block": {"allowed_approvers": ["B", "A", "B"]}, "slots": [_slot(1, ["A", "B"])]},
		"slots of one role set are counted together": {
			"block": {"quorum": [_slot(1, ["A"]), _slot(2, ["A"])]},
			"slots": [_slot(3, ["A"])],
		},
		"two approvers fill up a quorum of one": {
			"block": {"quorum": [_slot(1, ["A"])], "require_two_approvers": true},
			"slots": [_slot(1, ["A"]), _slot(1, ["any"])],
		},
		"a quorum of two is two approvers": {
			"block": {"quorum": [_slot(2, ["A"])], "require_two_approvers": true},
			"slots": [_slot(2, ["A"])],
		},
		"a filter narrows the quorum": {
			"block": {"quorum": [_slot(1, ["A", "B"])], "allowed_approvers": ["B", "C"]},
			"slots": [_slot(1, ["B"])],
		},
		"nobody": {"block": {}, "slots": []},
	}
	_slots(case.block) == case.slots
}

test_more_than[note] if {
	some note, case in {
		"the same": {"now": ["A"], "approved": [_slot(1, ["A"])], "more": false},
		"roles in another order": {"now": ["B", "A"], "approved": [_slot(1, ["B", "A"])], "more": false},
		"wider than approved": {"now": ["A", "B"], "approved": [_slot(1, ["A"])], "more": false},
		"narrower than approved": {"now": ["A"], "approved": [_slot(1, ["A", "B"])], "more": true},
		"others than approved": {"now": ["A"], "approved": [_slot(1, ["B"])], "more": true},
		"anybody approved": {"now": ["A"], "approved": [_slot(1, ["any"])], "more": true},
		"nobody approved": {"now": ["A"], "approved": [], "more": true},
		"more approved than asked": {"now": ["A"], "approved": [_slot(2, ["A"])], "more": false},
	}
	case.more == _more(
		{"mode": "full_auto", "environments": {"production": {"allowed_approvers": case.now}}},
		case.approved,
	)
}

# One person can't fill two slots, with any other approvers.
test_overlapping_slots_need_a_person_each if {
	block := {"mode": "full_auto", "environments": {"production": {"quorum": [_slot(1, ["A"]), _slot(1, ["A", "B"])]}}}
	not _more(block, [_slot(1, ["A"]), _slot(1, ["A", "B"])])
	not _more(block, [_slot(2, ["A"])])
	_more(block, [_slot(1, ["A"]), _slot(1, ["C"])])
}

test_one_person_covers_one_of_two_slots if {
	block := {"mode": "full_auto", "environments": {"production": {"quorum": [_slot(1, ["A", "B"]), _slot(1, ["A", "C"])]}}}
	_more(block, [_slot(1, ["A"])])
	not _more(block, [_slot(2, ["A"])])
}

_more(block, approved) if {
	approvals.more_than(approved) with input as testing_test.cell("state_change_prod", "production", block)
} else := false
