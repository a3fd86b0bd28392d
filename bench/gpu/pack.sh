#!/bin/sh
# Packs what runs on a machine with a card and without LLVM: `./x gpu-bundles DIR`, or with --emulate for the stand-in for its driver.
#
# DIR gets bundles of the cases of cases.txt, of the imported models and of 500 golden cases, the runner, the PyTorch side of the
# cases, run.sh, and all of it as gpu.tar.gz. --small packs what the stand-in runs in some seconds: cases of at most 65,536
# elements and 100 golden cases. --run runs them by it, and fails where one is wrong.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
tools=$1
shift
emulate= small= run= to= goldens=500
for argument; do
  case $argument in
    --emulate) emulate=--emulate ;;
    --small) small=1 goldens=105 ;;
    --run) run=1 ;;
    -*) echo "gpu-bundles: unknown option $argument: there is --emulate, --small and --run" >&2; exit 1 ;;
    *) to=$argument ;;
  esac
done
[ -n "$to" ] || { echo "gpu-bundles: expected a folder" >&2; exit 1; }
mkdir -p "$to/bundles" "$to/models" "$to/goldens"
to=$(cd "$to" && pwd)

# NAME | BYTES | FLOPS | SHARE | ARGUMENTS | WHY
grep -v '^#' "$here/cases.txt" | while IFS='|' read -r name bytes flops _ arguments _; do
  name=$(echo "$name" | tr -d ' ')
  case $small:$name in
    1:tiny_*) ;;
    1:softmax_32000.S) continue ;;
    1:*.S) ;;
    1:*) continue ;;
  esac
  set --
  for argument in $arguments; do set -- "$@" "--arg=$argument"; done
  "$tools/terrace-compile" "$root/bench/cases/$name.mlir" --target=nvptx --emit=bundle $emulate --bytes=$((bytes)) \
    --flops=$((flops)) "$@" -o "$to/bundles/$name" || echo "gpu-bundles: $name is left out" >&2
done
"$tools/terrace-goldens" --bundles "$to/models" $emulate --models
"$tools/terrace-goldens" --bundles "$to/goldens" $emulate --sample $goldens --seed 1 2>"$to/goldens.log"

cp "$tools/terrace-gpu-run" "$tools/terrace-gpu-table" "$here/run.sh" "$here/cases.txt" "$to"
strip "$to/terrace-gpu-run" "$to/terrace-gpu-table"
if [ -n "$emulate" ]; then
  cp "$tools/libterrace_fake_cuda.so" "$to"
  strip "$to/libterrace_fake_cuda.so"
fi
mkdir -p "$to/peers/cases"
cp "$here/with_torch.py" "$to"
cp "$root"/bench/peers/cases/*.py "$to/peers/cases"
cd "$to" && tar --exclude=gpu.tar.gz -czf gpu.tar.gz *
echo "$(ls bundles | wc -l) cases, $(ls models | wc -l) models, $(ls goldens | wc -l) golden cases: $(du -k gpu.tar.gz | cut -f1) KiB in $to/gpu.tar.gz"
[ -z "$run" ] || PACE=5 TERRACE_CUDA_DRIVER=$to/libterrace_fake_cuda.so ./run.sh
