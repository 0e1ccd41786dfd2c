//! What the kernel compiler is asked to compile: the text of units, their kernels and modes.
//! And what remains on the host, which is built with every lint on that a careful user may have.

mod support;

use metal_oxide_artifact::MathMode;
use support::Package;

/// The text of the unit that a package with this `src/main.rs` asks for, without the line that every unit ends with.
#[track_caller]
fn unit(main: &str) -> String {
    let package = Package::new(main);
    package.accepted();
    let text = package.request().text;
    text.strip_suffix("\nextern crate core as std;\n").expect("`std` stands for `core`").to_owned()
}

#[test]
fn a_function_takes_its_imports_along() {
    let text = unit(
        "\
//! A program.

use std::collections::HashMap;
use metal_oxide::{Device, device::{ReadBuffer, thread_index}};
use std::cmp::Ordering;

/// Says nothing.
#[metal_oxide::kernel]
#[inline(never)] // not for the device
pub(crate) fn k(größe: u32, // ü
\tinput: ReadBuffer<'_, f32>) {
\tlet a: &'static str = \"ä\"; let _i = thread_index(); /* 🦀 */ let _ = (a, größe, input, Ordering::Less);
}

fn main() { let _: Option<(HashMap<(), ()>, Device)> = None; }
",
    );
    // Tabs and comments are spaces here; every token stands where it stands above.
    let expected = "


use metal_oxide::{        device::{ReadBuffer, thread_index}};
use std::cmp::Ordering;




           fn k(größe: u32,
 input: ReadBuffer<'_, f32>) {
 let a: &'static str = \"ä\"; let _i = thread_index();         let _ = (a, größe, input, Ordering::Less);
}";
    assert_eq!(text, expected);
}

#[test]
fn line_endings_do_not_matter() {
    let main = "use metal_oxide::device::ReadBuffer;\n\n#[metal_oxide::kernel]\nfn k(a: ReadBuffer<u8>) {\n    let _ = (a, \"x\ny\");\n}\n\nfn main() { let _ = metal_oxide::Device::cpu(); }\n";
    let main = format!("#![allow(dead_code)]\n{main}");
    assert_eq!(unit(&main), unit(&main.replace('\n', "\r\n")));
}

#[test]
fn a_module_is_a_unit() {
    let package = Package::new(
        "\
//! A program.

mod outer {
    /// Kernels.
    #[metal_oxide::kernels(math = \"fast\")]
    pub mod shapes {
        use metal_oxide::device::{DisjointBuffer, thread_index};

        /// A circle.
        #[derive(Clone, Copy, Debug, std::marker::Copy, serde::Serialize)]
        pub struct Circle { pub radius: f32 }

        /// Areas.
        #[kernel(requires(n == radii.len()))]
        pub fn area(n: u32, mut radii: DisjointBuffer<f32>) {
            if let Some(radius) = radii.get_mut(&thread_index()) {
                *radius = square(*radius);
            }
            let _ = n;
        }

        fn square(x: f32) -> f32 { x * x }

        #[metal_oxide::kernel]
        pub unsafe fn nothing() {}
    }
}

fn main() {}
"
        .replace(", std::marker::Copy, serde::Serialize", "")
        .as_str(),
    );
    package.accepted();
    let request = package.request();
    let expected = "




        mod shapes {
        use metal_oxide::device::{DisjointBuffer, thread_index};


        #[derive(Clone, Copy, Debug)]
        pub struct Circle { pub radius: f32 }



            fn area(n: u32, mut radii: DisjointBuffer<f32>) {
            if let Some(radius) = radii.get_mut(&thread_index()) {
                *radius = square(*radius);
            }
            let _ = n;
        }

        fn square(x: f32) -> f32 { x * x }


            unsafe fn nothing() {}
    }
extern crate core as std;
";
    assert_eq!(request.text, expected);
    assert_eq!((request.item.as_str(), request.math), ("outer.shapes", MathMode::Fast));
    let kernels: Vec<_> =
        request.kernels.iter().map(|kernel| (kernel.name.as_str(), kernel.path.as_str(), kernel.requires.len())).collect();
    assert_eq!(kernels, [("area", "shapes::area", 1), ("nothing", "shapes::nothing", 0)]);
    assert!(package.path("metal/src/main/outer.shapes-fast/manifest.json").is_file());
}

#[test]
fn the_host_is_built_with_strict_lints() {
    let package = Package::new(
        "\
//! A program of a careful person.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unused, rust_2018_idioms, unreachable_pub, single_use_lifetimes, unused_qualifications)]

use metal_oxide::device::{DisjointBuffer, thread_index};
use metal_oxide::{Device, LaunchConfig, Operation};

const KERNEL: f32 = 1.0;
const UNIT: f32 = 1.0;

/// Names that a careless expansion would use itself.
#[metal_oxide::kernel(requires(device <= out.len()))]
fn kernel_body(device: u32, config: f32, binder: f32, block: f32, arguments: f32, mut out: DisjointBuffer<'_, f32>) {
    if let Some(out) = out.get_mut(&thread_index()) {
        *out = device as f32 + config + binder + block + arguments + 1.0;
    }
}

/// One kernel a module.
#[metal_oxide::kernels]
mod shapes {
    use metal_oxide::device::{DisjointBuffer, thread_index};

    #[kernel]
    pub(super) fn fill(value: f32, mut out: DisjointBuffer<'_, f32>) {
        if let Some(out) = out.get_mut(&thread_index()) {
            *out = value;
        }
    }
}

fn main() -> metal_oxide::Result<()> {
    let device = Device::cpu();
    let out = device.buffer_zeroed::<f32>(4)?;
    let config = LaunchConfig::<4>::for_elements(4)?;
    // Literals take the parameter's type.
    let (_, _, _, _, _, mut out) = kernel_body(&device, config, 4, KERNEL, UNIT, 0.0, 0.0, out).wait()?;
    let (_, _out) = shapes::fill(&device, config, 2.0, &mut out).wait()?;
    Ok(())
}
",
    );
    package.accepted();
    assert_eq!(package.starts(), 2);
}

#[test]
fn kernels_of_a_library_stand_in_their_own_files() {
    let package = Package::new("fn main() {}");
    package.write("src/lib.rs", "//! Kernels.\nmod deep;\npub use deep::kernels::zero;\n");
    package.write("src/deep/mod.rs", "pub mod kernels;\n");
    package.write(
        "src/deep/kernels.rs",
        "use metal_oxide::device::*;\n\n#[metal_oxide::kernel]\npub fn zero(mut out: DisjointBuffer<f32>) {\n    let _ = &mut out;\n}\n",
    );
    package.accepted();
    assert_eq!(package.request().file, std::path::Path::new("src/deep/kernels.rs"));
    assert!(package.path("metal/src/deep/kernels/zero-precise").is_dir());
}

#[test]
fn records_travel_between_host_and_kernels() {
    let package = Package::new(
        "\
#![forbid(unsafe_code)]
use metal_oxide::{Device, GpuValue, LaunchConfig};

#[metal_oxide::kernels]
mod shapes {
    use metal_oxide::device::{DisjointBuffer, thread_index};

    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Circle { pub centre: Point, pub filled: bool, pub radius: f32 }

    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Point(pub f32, pub f32);

    #[kernel]
    pub fn grow(by: Point, mut circles: DisjointBuffer<Circle>) {
        if let Some(circle) = circles.get_mut(&thread_index()) {
            circle.radius += by.0 + by.1;
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, metal_oxide_macros::GpuValue)]
#[repr(C)]
struct Pair { small: u8, large: u64 }

fn main() -> metal_oxide::Result<()> {
    const { assert!(Pair::SIZE == 16 && Pair::ALIGN == 8 && Pair::IN_PLACE) }
    const { assert!(shapes::Point::IN_PLACE && !shapes::Circle::IN_PLACE && shapes::Circle::SIZE == 16) }
    let mut bytes = [0; 16];
    let circle = shapes::Circle { centre: shapes::Point(1.0, 2.0), filled: true, radius: 3.0 };
    circle.encode(&mut bytes);
    assert_eq!(bytes, [0, 0, 128, 63, 0, 0, 0, 64, 1, 0, 0, 0, 0, 0, 64, 64]);
    assert_eq!(shapes::Circle::decode(&bytes), circle);
    let device = Device::cpu();
    let mut circles = device.buffer_from_slice(&[circle])?;
    let launch = shapes::grow(&device, LaunchConfig::<1>::for_elements(1)?, shapes::Point(0.5, 0.5), &mut circles);
    drop(launch);
    Ok(())
}
",
    );
    package.manifest(&format!("metal-oxide-macros = {{ path = {:?} }}", env!("CARGO_MANIFEST_DIR")));
    package.runs();
    let expected = "\n    #[repr(C)]\n    #[derive(Clone, Copy, Debug, PartialEq)]\n    pub struct Point(pub f32, pub f32);\n";
    assert!(package.request().text.contains(expected), "{}", package.request().text);
}

#[test]
fn kernels_stand_anywhere() {
    let package = Package::new(
        "\
use metal_oxide::device::thread_index;

mod included {
    include!(\"included.rs\");
}

#[path = \"../../outside.rs\"]
mod outside;

fn main() {
    use metal_oxide::device::DisjointBuffer;

    #[metal_oxide::kernel]
    fn inner(mut out: DisjointBuffer<f32>) {
        let _ = out.get_mut(&thread_index());
    }

    let device = metal_oxide::Device::cpu();
    let config = metal_oxide::LaunchConfig::<1>::for_elements(1).unwrap();
    let _launch = inner(&device, config, device.buffer_zeroed::<f32>(1).unwrap());
    let _launch = included::k(&device, config, 1);
    let _launch = outside::k(&device, config, 1);
}
",
    );
    package.write("src/included.rs", "#[metal_oxide::kernel]\npub fn k(n: u32) {\n    let _ = n;\n}\n");
    package.write("../outside.rs", "#[metal_oxide::kernel]\npub fn k(n: u32) {\n    let _ = n;\n}\n");
    package.accepted();
    assert_eq!(package.starts(), 3);
    for folder in ["main/main.inner-precise", "included/k-precise"] {
        assert!(package.path("metal/src").join(folder).is_dir(), "{folder} is missing");
    }
    assert!(package.path("metal/parent/outside/k-precise").is_dir());
}
