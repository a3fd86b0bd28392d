#!/bin/sh
# Runs what pack.sh packed on a machine with a card: `sh run.sh`, in the unpacked folder. It needs a shell and NVIDIA's driver.
#
# It takes eight minutes at most, or PACE times as long. Golden cases, models and cases are checked on poisoned memory between
# guard zones; cases are timed, too, beside PyTorch eager and Inductor where python3 has torch. Everything goes to results/, the
# table to results/results.md. The status is 1 where something is wrong.
set -u
cd "$(dirname "$0")"
mkdir -p results
limit() {
  seconds=$(($1 * ${PACE:-1}))
  shift
  timeout "$seconds" "$@" || [ $? -ne 124 ] || echo "run.sh: stopped after $seconds s" >&2
}
(nvidia-smi || true) >results/card.txt 2>&1
limit 100 ./terrace-gpu-run --check-only goldens/* >results/goldens.jsonl
limit 60 ./terrace-gpu-run models/* >results/models.jsonl
limit 160 ./terrace-gpu-run bundles/* >results/cases.jsonl
: >results/peers.jsonl
if python3 -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2>/dev/null; then
  limit 160 python3 with_torch.py >>results/peers.jsonl
fi
./terrace-gpu-table cases.txt results >results/results.md
right=$?
cat results/results.md
exit $right
