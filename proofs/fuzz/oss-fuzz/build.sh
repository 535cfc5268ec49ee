#!/bin/bash -eu
# Builds every target of proofs/fuzz/targets as a fuzzer of OSS-Fuzz.
npm ci --ignore-scripts
npm run build
npm install --no-save --ignore-scripts @jazzer.js/core@4

home=proofs/fuzz
for target in "$home"/targets/*.ts; do
  name=$(basename "$target" .ts)
  cp "$home/jazzer.cjs" "$home/fuzz_$name.cjs"
  # Only our code is instrumented: the targets compare it with packages of others.
  compile_javascript_fuzzer ristretto "$home/fuzz_$name.cjs" -i packages/engine/lib -i packages/ristretto -i packages/middleware
done
