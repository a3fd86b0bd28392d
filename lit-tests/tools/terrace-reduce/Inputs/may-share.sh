#!/bin/sh
# Status 1: the program still shows what is looked for.
terrace-opt "$1" --graph-functionalize 2>&1 | grep -q 'may share its storage' && exit 1
exit 0
