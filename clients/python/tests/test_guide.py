from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from conftest import People, pending

from countersign import CountersignClient

GUIDE = Path(__file__).parents[3] / "docs" / "agents.md"


def test_the_program_of_the_guide_waits_for_its_approval(client: CountersignClient, people: People) -> None:
    [program] = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        session = running.stdout.readline().strip().rpartition("/")[2]
        people.answer(pending(client, session), "approve")
        assert running.communicate(timeout=30)[0] == "{'labelled': 1}\n"
    assert running.returncode == 0
