"""Makes the second kernel of a PTX module trap and the fourth one hang.

    spoil.py MODULE

Exit status: 0, or 1 if the module has no four kernels.
"""

import sys

RETURN = "  ret;\n}\n"

with open(sys.argv[1], encoding="utf-8") as file:
    kernels = file.read().split(RETURN)
if len(kernels) < 5:
    sys.exit(f"{sys.argv[1]}: expected four kernels")
kernels[1] += "  trap;\n"
# One that looks at a clock: the emulator sees that other loops never end.
kernels[3] += (
    "{\n  .reg .b64 %now;\nAgain:\n  mov.u64 %now, %clock64;\n"
    "  bra Again;\n}\n"
)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(RETURN.join(kernels))
