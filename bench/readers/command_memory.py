"""One measurement: a command runs to its end, writing to /dev/null; prints how much memory its process had at its peak.

python -m bench.readers.command_memory ls http://127.0.0.1:8000 -f jsonl
"""

import json
import sys

from bench.readers.measuring import memory
from usp.cli import main

status = main([*sys.argv[1:], "-o", "/dev/null"])
print(json.dumps({"peak_kib": memory("VmHWM")}))
sys.exit(status)
