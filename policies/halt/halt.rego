# METADATA
# title: Halts
# description: Nothing starts or goes on under a halt. Completed steps can still be rolled back.
package countersign.halt

# METADATA
# title: A halt applies
# description: One reason for every kind of halt that applies.
reasons contains reason if {
	some halt in input.halts
	reason := {
		"code": "halt.active",
		"message": sprintf("A halt of the %s is in force", [halt.kind]),
		"rule": "countersign.halt",
	}
}
