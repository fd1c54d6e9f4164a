package countersign.halt_test

import data.countersign.halt

test_every_kind[kind] if {
	some kind in ["tenant", "environment", "agent", "tool"]
	some reason in halt.reasons with input as {"halts": [{"id": "halt", "kind": kind}]}
	reason.message == sprintf("A halt of the %s is in force", [kind])
}

test_no_halt if count(halt.reasons) == 0 with input as {"halts": []}
