//! Every kind of failure: the same place, kind, thread and block on each engine, and no write by the thread that failed.

#![allow(clippy::all, reason = "kernels are written here in as many styles as people have")]

use language_tests::{Config, engines};
use metal_oxide::{Device, Error, FailureKind, Operation};

#[metal_oxide::kernels]
mod kernels {
    use metal_oxide::device::{DisjointBuffer, ReadBuffer, thread_index};

    /// The first value that is wanted, or none.
    fn first_above(values: &[u32], limit: u32) -> Option<u32> {
        values.iter().copied().find(|value| *value > limit)
    }

    /// Thread `culprit` fails in the way of number `way`; every thread writes before and after.
    #[kernel]
    pub fn fail(values: ReadBuffer<u32>, way: u32, culprit: u32, mut out: DisjointBuffer<[u32; 2]>) {
        let index = thread_index();
        let Some(out) = out.get_mut(&index) else { return };
        out[0] = 1;
        let values = values.as_slice();
        let bad = index.get() as u32 == culprit;
        let mut result = 1;
        match way {
            0 => result += values[if bad { values.len() } else { 0 }],
            1 => result += 100 / if bad { 0 } else { 7 },
            2 => result += 100 % if bad { 0 } else { 7 },
            3 => {
                result +=
                    (i32::MIN + i32::from(!bad)).wrapping_div(3) as u32 + (i32::MIN + i32::from(!bad) / 1) as u32 / if bad { 0 } else { 1 }
            }
            4 => result += first_above(values, if bad { 1000 } else { 5 }).unwrap(),
            5 => result += first_above(values, if bad { 1000 } else { 5 }).expect("a value above the limit"),
            6 => assert!(!bad, "the thread is bad"),
            7 => assert_eq!(values[0], if bad { 8 } else { 7 }),
            8 => {
                if bad {
                    panic!("out of luck");
                }
            }
            9 => {
                if bad {
                    unreachable!();
                }
            }
            10 => result += values[1..if bad { 99 } else { 3 }].len() as u32,
            11 => result += values.split_at(if bad { 99 } else { 2 }).0.len() as u32,
            12 => result += values.chunks(if bad { 0 } else { 2 }).count() as u32,
            13 => {
                let failed: Result<u32, u8> = if bad { Err(3) } else { Ok(4) };
                result += failed.unwrap();
            }
            14 => {
                let mut local = [1, 2, 3];
                local[if bad { 3 } else { 2 }] = 9;
                result += local[2];
            }
            15 => local_copy(&mut [0; 4], &values[..if bad { 3 } else { 4 }]),
            _ => {}
        }
        out[1] = result;
    }

    fn local_copy(to: &mut [u32; 4], from: &[u32]) {
        to.copy_from_slice(from);
    }
}

/// What a failing launch leaves: where and how it failed, and what the threads wrote.
type Outcome = (String, u32, u32, FailureKind, [u32; 3], [u32; 3], Vec<[u32; 2]>);

const THREADS: usize = 300;
const WAYS: u32 = 16;

fn fail(device: &Device, way: u32, culprit: u32) -> Option<Outcome> {
    let values = device.buffer_from_slice(&[7_u32, 3, 9, 1, 4]).unwrap();
    let mut out = device.buffer_zeroed::<[u32; 2]>(THREADS).unwrap();
    let result = kernels::fail(device, Config::for_elements(THREADS).unwrap(), &values, way, culprit, &mut out).wait().map(drop);
    let written = out.read().wait().to_vec();
    match result {
        Ok(()) => None,
        Err(Error::KernelFailed { file, line, column, kind, thread, block, .. }) => {
            Some((file, line, column, kind, thread, block, written))
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn m1_every_engine_reports_the_same_failure_and_the_thread_writes_no_more() {
    let devices = engines();
    for way in 0..WAYS {
        let [cpu, msl] = [0, 1].map(|engine| fail(&devices[engine], way, 100).unwrap_or_else(|| panic!("way {way} does not fail")));
        assert_eq!(cpu, msl, "way {way}");
        let (file, line, _, _, thread, block, written) = cpu;
        assert!(file.ends_with("tests/failures.rs"), "way {way} fails in {file}");
        assert!(line > 0);
        assert_eq!((thread, block), ([4, 0, 0], [1, 0, 0]), "way {way}");
        assert_eq!(written[100], [1, 0], "way {way}: the thread wrote after its failure");
        assert!(written.iter().enumerate().all(|(index, [first, second])| index == 100 || *first == 1 && *second > 0), "way {way}");
    }
}

#[test]
fn kinds_of_failure_are_told_apart() {
    let cpu = Device::cpu();
    let kinds: Vec<FailureKind> = (0..WAYS).map(|way| fail(&cpu, way, 100).unwrap().3).collect();
    use FailureKind::{Bounds, DivisionByZero, Panic, Unwrap};
    let expected = [
        Bounds,
        DivisionByZero,
        DivisionByZero,
        DivisionByZero,
        Unwrap,
        Unwrap,
        Panic,
        Panic,
        Panic,
        Panic,
        Bounds,
        Panic,
        Panic,
        Unwrap,
        Bounds,
        Bounds,
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn a_kernel_that_does_not_fail_reports_nothing() {
    for device in engines() {
        for way in 0..WAYS {
            assert!(fail(&device, way, u32::MAX).is_none(), "way {way} on {}", device.name());
        }
    }
}
