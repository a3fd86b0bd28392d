// RUN: not terrace-opt %s --loop-split-scan=points=0 2>&1 | FileCheck %s

// CHECK: expects a point and a lane or more and a limit that is not negative, got points 0, lanes 64, least 131072
func.func @f() {
  return
}
