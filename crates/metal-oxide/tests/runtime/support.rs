//! Kernels made by hand: manifests without a compiler, and launch functions without a macro.

use std::future::IntoFuture;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use metal_oxide::GpuValue;
use metal_oxide::device::{DisjointBuffer, ReadBuffer};
use metal_oxide_artifact::{Argument, Inputs, KernelAbi, KernelEntry, Layout, MANIFEST_SCHEMA, Manifest, MathMode, Parameter};

/// Defines the launch function of a kernel, as the macro expands it. The manifest is made when it is first needed.
#[macro_export]
macro_rules! kernel {
    ($(#[entry($entry:expr)])? fn $name:ident($($parameter:ident as $argument:ident: $ty:ty),*) $body:block) => {
        #[allow(dead_code, non_camel_case_types)]
        fn $name<$($argument: ::metal_oxide::ArgumentFor<fn($ty)>),*>(
            device: &::metal_oxide::Device,
            config: impl ::metal_oxide::IntoLaunchConfig,
            $($parameter: $argument),*
        ) -> ::metal_oxide::Launch<($($argument,)*)> {
            use ::metal_oxide::__private as private;
            #[allow(unused_mut)]
            fn kernel_body($(mut $parameter: $ty),*) $body
            unsafe fn run_block(arguments: private::Arguments<'_>, block: &mut private::Block<'_>) {
                let _ = arguments;
                block.for_each_thread(|| {
                    let mut _next = 0..;
                    // SAFETY: the arguments are taken in the order in which they are bound, with the types of the parameters.
                    #[allow(unused_unsafe)]
                    unsafe { kernel_body($({ let $parameter = arguments.get(_next.next().unwrap()); $parameter }),*) }
                });
            }
            static UNIT: std::sync::LazyLock<private::Unit> = std::sync::LazyLock::new(|| {
                #[allow(unused_mut, unused_assignments)]
                let mut entry = $crate::support::entry(stringify!($name), vec![$($crate::support::parameter::<$ty>(stringify!($parameter))),*]);
                $(let edit: fn(&mut metal_oxide_artifact::KernelEntry) = $entry; edit(&mut entry);)?
                private::Unit::new($crate::support::manifest(entry), "", None, file!())
            });
            static KERNEL: std::sync::LazyLock<private::Kernel> =
                // SAFETY: `run_block` takes the arguments as they are bound below.
                std::sync::LazyLock::new(|| unsafe { private::Kernel::new(&UNIT, stringify!($name), run_block) });
            #[allow(unused_mut)]
            let mut launch = private::Binder::new(device, config, &KERNEL);
            $(launch.bind::<fn($ty), _>(&$parameter);)*
            launch.finish(($($parameter,)*))
        }
    };
}

/// A kernel parameter's type, seen from the manifest.
pub trait Described {
    fn argument() -> Argument;
}

impl<T: GpuValue> Described for ReadBuffer<'_, T> {
    fn argument() -> Argument {
        Argument::Buffer { slot: 0, writable: false, element: layout::<T>(), length_offset: None }
    }
}

impl<T: GpuValue> Described for DisjointBuffer<'_, T> {
    fn argument() -> Argument {
        Argument::Buffer { slot: 0, writable: true, element: layout::<T>(), length_offset: None }
    }
}

macro_rules! values {
    ($($value:ty),*) => {$(
        impl Described for $value {
            fn argument() -> Argument {
                Argument::Value { offset: None, layout: layout::<$value>() }
            }
        }
    )*};
}

values!(u32, i64, [u32; 3]);

fn layout<T: GpuValue>() -> Layout {
    Layout { name: std::any::type_name::<T>().into(), size: T::SIZE as u32, align: T::ALIGN as u32 }
}

pub fn parameter<P: Described>(name: &str) -> Parameter {
    Parameter { name: name.into(), argument: P::argument() }
}

/// A kernel without requirements, sites or anything else unusual.
pub fn entry(name: &str, parameters: Vec<Parameter>) -> KernelEntry {
    KernelEntry {
        name: name.into(),
        entry: name.into(),
        abi: KernelAbi { parameters, ..KernelAbi::default() },
        requires: Vec::new(),
        sites: Vec::new(),
        features: Vec::new(),
    }
}

pub fn manifest(entry: KernelEntry) -> &'static str {
    let manifest = Manifest {
        schema: MANIFEST_SCHEMA,
        file: PathBuf::from("src/lib.rs"),
        item: entry.name.clone(),
        math: MathMode::Precise,
        inputs: Inputs::default(),
        files: Default::default(),
        kernels: vec![entry],
    };
    serde_json::to_string(&manifest).expect("a manifest is JSON").leak()
}

/// Drives a future on this thread, which sleeps until it is woken.
pub fn block_on<F: IntoFuture>(future: F) -> F::Output {
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future.into_future());
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// Polls a future once.
pub fn poll_once<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    std::pin::Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}
