package countersign.words_test

import data.countersign.words

test_states if {
	words.state("consumed") == "approved and started"
	words.state("rolling_back") == "rolling back"
	words.state("open") == "open"
}

test_minutes[note] if {
	some note, total in {
		"1 minute": 1,
		"50 minutes": 50,
		"1 hour": 60,
		"1 hour 30 minutes": 90,
		"2 hours": 120,
		"1 day": 1440,
		"2 days 4 hours 1 minute": 3121,
		"30 days": 43200,
		"0 minutes": 0,
		"no minutes": "no",
	}
	words.minutes(total) == note
}
