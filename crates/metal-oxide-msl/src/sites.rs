//! The numbers of failure sites. A record holds a number; the host looks it up in the list of the kernel that it launched.
//! Helpers are shared by kernels, so their sites have the same numbers for all of them and come first in the lists.

use std::collections::HashMap;

use metal_oxide_artifact::{FailureKind, Site};
use metal_oxide_ir::{FunctionId, Module, SiteId};

use crate::program::{Program, sites_of};

/// The sites of all helpers.
#[derive(Debug)]
pub(crate) struct Sites {
    helpers: Vec<SiteId>,
}

impl Sites {
    pub(crate) fn new(module: &Module, program: &Program) -> Self {
        let mut helpers = Vec::new();
        for &id in program.order.iter().filter(|&&id| !module.function(id).is_kernel()) {
            for site in sites_of(module, id) {
                if !helpers.contains(&site) {
                    helpers.push(site);
                }
            }
        }
        Sites { helpers }
    }

    /// The numbers of the sites in a function.
    pub(crate) fn numbers(&self, module: &Module, program: &Program, id: FunctionId) -> HashMap<SiteId, u32> {
        let list = if module.function(id).is_kernel() { self.list(module, program, id) } else { self.helpers.clone() };
        list.into_iter().zip(0..).collect()
    }

    /// The sites of a kernel, by number.
    pub(crate) fn of_kernel(&self, module: &Module, program: &Program, id: FunctionId) -> Vec<Site> {
        self.list(module, program, id).into_iter().map(|site| described(module, site)).collect()
    }

    fn list(&self, module: &Module, program: &Program, id: FunctionId) -> Vec<SiteId> {
        let calls_helpers = program.callees(module, id).into_iter().any(|callee| program.signature(callee).can_fail);
        let mut list = if calls_helpers { self.helpers.clone() } else { Vec::new() };
        for site in sites_of(module, id) {
            if !list.contains(&site) {
                list.push(site);
            }
        }
        list
    }
}

fn described(module: &Module, id: SiteId) -> Site {
    let site = &module.sites[id.index()];
    Site {
        file: site.location.file.clone().into(),
        line: site.location.line,
        column: site.location.column,
        kind: match site.kind {
            metal_oxide_ir::FailureKind::Bounds => FailureKind::Bounds,
            metal_oxide_ir::FailureKind::DivisionByZero => FailureKind::DivisionByZero,
            metal_oxide_ir::FailureKind::Overflow => FailureKind::Overflow,
            metal_oxide_ir::FailureKind::Unwrap => FailureKind::Unwrap,
            metal_oxide_ir::FailureKind::Panic => FailureKind::Panic,
        },
        message: site.message.clone(),
    }
}
