// RUN: not terrace-opt %s --loop-split-reduction=lanes=0 2>&1 | FileCheck %s

// CHECK: expects a point and a lane or more and a limit that is not negative, got points 8, lanes 0, least 131072
func.func @f() {
  return
}
