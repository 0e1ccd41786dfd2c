# The fake Cargo: plans two parts, fails or hangs when it is told to, and "builds" a compiler that makes a device library.
echo "  in $PWD, flags: $(echo "$CARGO_ENCODED_RUSTFLAGS" | tr '\037' ' ')" >> "$FAKE/calls"
case "$*" in
*--unit-graph*)
    echo '{"units":[{"mode":"build"},{"mode":"run-custom-build"},{"mode":"build"}]}'
    exit 0
    ;;
esac
if [ "$1" = metadata ]; then
    cat "$FAKE/metadata.json"
    exit
fi
if [ -e "$FAKE/cargo.fails" ]; then
    cat "$FAKE/cargo.fails" >&2
    exit 101
fi
if [ -e "$FAKE/cargo.hangs" ]; then
    touch "$FAKE/cargo.started"
    exec sleep 60
fi
case "$PWD" in
*/metal-oxide-compiler)
    program="$CARGO_TARGET_DIR/release/metal-oxide-compiler"
    mkdir -p "$CARGO_TARGET_DIR/release"
    cat > "$program" <<'SCRIPT'
#!/bin/sh
PATH=/usr/bin:/bin
if [ "$1" = version ]; then
    cat "$(dirname "$0")/../../../../identity"
    exit
fi
while [ $# -gt 0 ]; do
    if [ "$1" = --out ]; then out=$2; fi
    shift
done
if [ -e "$out/libcore.rmeta" ]; then echo "core was there" >> "$out/notes"; fi
touch "$out/libcore.rmeta"
SCRIPT
    chmod +x "$program"
    cat <<JSON
{"reason":"compiler-artifact","package_id":"path+file:///x#metal-oxide-compiler@0.0.0","manifest_path":"/x/Cargo.toml","target":{"kind":["bin"],"crate_types":["bin"],"name":"metal-oxide-compiler","src_path":"/x/main.rs","edition":"2024","doc":true,"doctest":false,"test":true},"profile":{"opt_level":"2","debuginfo":0,"debug_assertions":false,"overflow_checks":false,"test":false},"features":[],"filenames":[],"executable":"$program","fresh":false}
JSON
    ;;
esac
