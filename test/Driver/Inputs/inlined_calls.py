"""Writes PTX whose one target instruction stands in as many calls, each inlined in
the one before.

    inlined_calls.py COUNT
"""

import sys

count = int(sys.argv[1])
print(""".version 9.0
.target sm_90a
.address_size 64
.file 1 "kernel.cu"
.file 2 "inner.h"
.visible .entry inlined()
{
	.loc 1 1 1
	.loc 2 1 1, function_name $L__name, inlined_at 1 1 1""")
for line in range(2, count + 1):
    print(f"\t.loc 2 {line} 1, function_name $L__name, inlined_at 2 {line - 1} 1")
print("""	griddepcontrol.wait;
	ret;
}
.section .debug_str
{
$L__name:
.b8 120, 0
}""")
