//! Has the linker put what runs in a hook together (`hook.ld`), so that few pages are faulted in.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=hook.ld");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        println!("cargo:rustc-link-arg-bins=-Wl,-T,{folder}/hook.ld");
    }
}
