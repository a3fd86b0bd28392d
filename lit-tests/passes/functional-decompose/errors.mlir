// RUN: not terrace-opt %s --functional-decompose="keep=logaddexp,cosh" 2>&1 | FileCheck %s

// CHECK: keep names 'cosh', which is not taken apart; these operators are: {{.*}}logaddexp, logaddexp2
module {}
