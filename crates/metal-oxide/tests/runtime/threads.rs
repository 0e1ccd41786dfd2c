//! Many host threads on one device, many devices, and what is left of them.

use std::sync::Arc;
use std::thread;

use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};
use metal_oxide::{Device, LaunchConfig, Operation, Result};

use crate::kernel;

kernel! {
    fn add_to(from as From: ReadBuffer<u64>, to as To: DisjointBuffer<u64>) {
        let index = thread_index();
        if let Some(to) = to.get_mut(&index) {
            *to += from.as_slice()[index.get()];
        }
    }
}

#[test]
fn many_host_threads_share_a_device() -> Result<()> {
    const ELEMENTS: usize = 500;
    let device = Device::cpu();
    let from = Arc::new(device.buffer_from_slice(&(0..ELEMENTS as u64).collect::<Vec<_>>())?);
    let threads: Vec<_> = (0..16)
        .map(|_| {
            let (device, mut from) = (device.clone(), Arc::clone(&from));
            thread::spawn(move || -> Result<()> {
                let mut to = device.buffer_zeroed::<u64>(ELEMENTS)?;
                for _ in 0..200 {
                    (from, to) = add_to(&device, LaunchConfig::<32>::for_elements(ELEMENTS)?, from, to).wait()?;
                }
                assert!(to.read().wait().iter().enumerate().all(|(index, value)| *value == 200 * index as u64));
                Ok(())
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("no thread panics")?;
    }
    Ok(())
}

#[test]
fn devices_come_and_go() -> Result<()> {
    for round in 1..=100 {
        let device = Device::cpu();
        let from = device.buffer_from_slice(&[round; 100])?;
        let (_, to) = add_to(&device, LaunchConfig::<10>::for_elements(100)?, from, device.buffer_zeroed::<u64>(100)?).wait()?;
        drop(device);
        assert_eq!(to.read().wait(), [round; 100]);
    }
    Ok(())
}

kernel! {
    fn launch_another(out as Out: DisjointBuffer<u64>) {
        let index = thread_index();
        let device = Device::cpu();
        let launch = |amount: u64| {
            let (from, to) = (device.buffer_from_slice(&[amount; 4])?, device.buffer_zeroed::<u64>(4)?);
            let (_, to) = add_to(&device, LaunchConfig::<1>::for_elements(4)?, from, to).wait()?;
            let sum: u64 = to.read().wait().iter().sum();
            Ok::<u64, metal_oxide::Error>(sum)
        };
        let sum = launch(index.get() as u64).unwrap();
        *out.get_mut(&index).unwrap() = sum;
    }
}

/// Kernels on the CPU device are host code, which may do what no GPU can. It must not confuse the device.
#[test]
fn a_kernel_that_launches_another_finds_its_own_coordinates_again() -> Result<()> {
    let device = Device::cpu();
    let mut out = device.buffer_zeroed::<u64>(40)?;
    launch_another(&device, LaunchConfig::<4>::for_elements(40)?, &mut out).wait()?;
    assert!(out.read().wait().iter().enumerate().all(|(index, sum)| *sum == 4 * index as u64));
    Ok(())
}
