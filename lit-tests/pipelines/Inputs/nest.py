"""Prints a program of loops in each other, as many as asked for, which carry one tensor."""

import sys

depth, tensor = int(sys.argv[1]), "!graph.tensor<16xf32>"
print(f"func.func @main(%x: {tensor}, %n: index) -> {tensor} {{\n%one = arith.constant 1 : index")
carried = "%x"
for i in range(depth):
    print(f"%r{i} = scf.for %i{i} = %one to %n step %one iter_args(%a{i} = {carried}) -> ({tensor}) {{")
    carried = f"%a{i}"
print(f"%z = graph.exp {carried} : {tensor}\nscf.yield %z : {tensor}\n}}")
for i in range(depth - 1, 0, -1):
    print(f"scf.yield %r{i} : {tensor}\n}}")
print(f"return %r0 : {tensor}\n}}")
