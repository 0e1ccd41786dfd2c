//! What the import of a whole unit shares: the module that grows, the functions still to import, and the maps from rustc's things to
//! the module's.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;

use metal_oxide_artifact::Diagnostic;
use metal_oxide_ir::{Function, FunctionId, FunctionKind, GlobalId, LocationId, Module, Site, SiteId, Type, TypeId};
use rustc_abi::VariantIdx;
use rustc_middle::mir::interpret::AllocId;
use rustc_middle::ty::layout::{LayoutCx, LayoutOf, TyAndLayout};
use rustc_middle::ty::{Instance, Ty, TyCtxt, TypeSuperVisitable, TypeVisitable, TypeVisitor, TypingEnv};
use rustc_span::{DUMMY_SP, Span};

use super::abi;
use super::origin::{CallEdge, Origins};

/// Why an import stops before its end.
#[derive(Debug)]
pub enum Abort {
    /// rustc has told the user, or is about to.
    Reported,
    /// What to tell the user.
    Rejected(Box<Diagnostic>),
}

/// The outcome of an import step.
pub type Import<T> = Result<T, Abort>;

/// One function to import: a monomorphic instance, and for `#[track_caller]` functions what is known about the call.
///
/// Failure sites are constants of the module, so a function that reports its caller's location is imported once for each caller.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct FunctionKey<'tcx> {
    /// The instance.
    pub instance: Instance<'tcx>,
    /// Where it is called, if it is `#[track_caller]`.
    pub caller: Option<LocationId>,
    /// The arguments that are string constants, for the sake of messages, if it is `#[track_caller]`.
    pub strings: Vec<(usize, String)>,
}

/// See the module's documentation.
pub struct Context<'tcx> {
    /// rustc's context.
    pub tcx: TyCtxt<'tcx>,
    /// What has been imported.
    pub module: Module,
    /// Where things come from, for diagnostics.
    pub origins: Origins,
    /// What is being imported.
    pub(super) span: Span,
    /// The folders of other crates whose text is the user's too.
    pub(super) own: Vec<PathBuf>,
    pub(super) functions: HashMap<FunctionKey<'tcx>, FunctionId>,
    pub(super) queue: VecDeque<(FunctionKey<'tcx>, FunctionId)>,
    /// Some value is an `f64`.
    pub(super) uses_doubles: bool,
    /// Some value is an integer of 128 bits.
    pub(super) uses_wide_integers: bool,
    /// The functions that ask for a linear thread index.
    pub(super) linear: HashSet<FunctionId>,
    pub(super) types: HashMap<(Ty<'tcx>, Option<VariantIdx>), TypeId>,
    pub(super) scalars: HashMap<(Type, bool), TypeId>,
    pub(super) globals: HashMap<AllocId, GlobalId>,
    pub(super) locations: HashMap<Span, Option<LocationId>>,
    pub(super) location_ids: HashMap<metal_oxide_ir::Location, LocationId>,
    pub(super) function_names: HashMap<String, usize>,
    sites: HashMap<Site, SiteId>,
    pub(super) depths: HashMap<FunctionId, usize>,
    pub(super) tables: HashMap<Ty<'tcx>, u64>,
}

/// How long a chain of calls may be. Generic functions that call themselves with ever larger types have endless ones.
const MAX_DEPTH: usize = 512;

/// How many types a function's generic arguments may be made of.
const MAX_TYPES: usize = 4096;

impl<'tcx> Context<'tcx> {
    /// An empty module.
    pub fn new(tcx: TyCtxt<'tcx>) -> Self {
        Context {
            tcx,
            module: Module::default(),
            origins: Origins::default(),
            span: DUMMY_SP,
            own: Vec::new(),
            functions: HashMap::new(),
            queue: VecDeque::new(),
            uses_doubles: false,
            uses_wide_integers: false,
            linear: HashSet::new(),
            types: HashMap::new(),
            scalars: HashMap::new(),
            globals: HashMap::new(),
            locations: HashMap::new(),
            location_ids: HashMap::new(),
            function_names: HashMap::new(),
            sites: HashMap::new(),
            depths: HashMap::new(),
            tables: HashMap::new(),
        }
    }

    /// The environment of code in which nothing is generic any more.
    pub fn typing_env(&self) -> TypingEnv<'tcx> {
        TypingEnv::fully_monomorphized()
    }

    /// What layouts are computed with.
    pub fn layout_cx(&self) -> LayoutCx<'tcx> {
        LayoutCx::new(self.tcx, self.typing_env())
    }

    /// The layout of a type.
    pub fn layout(&self, ty: Ty<'tcx>) -> Import<TyAndLayout<'tcx>> {
        self.layout_cx().layout_of(ty).map_err(|error| {
            Abort::Rejected(Box::new(Diagnostic {
                code: "MO0018".to_owned(),
                message: error.to_string(),
                position: self.position(self.span),
                label: String::new(),
                notes: Vec::new(),
            }))
        })
    }

    /// The function for an instance, which is put in the queue when it is asked for the first time.
    pub fn function(&mut self, key: FunctionKey<'tcx>, edge: CallEdge) -> Import<FunctionId> {
        if let Some(&id) = self.functions.get(&key) {
            self.origins.add_call(id, edge);
            return Ok(id);
        }
        let depth = self.depths.get(&edge.caller).copied().unwrap_or(0) + 1;
        if depth > MAX_DEPTH || self.is_too_large(key.instance) {
            return Err(Abort::Rejected(Box::new(self.endless(key.instance, &edge))));
        }
        let signature = abi::signature(self, key.instance)?;
        let name = self.function_name(key.instance);
        let keep = self.is_kept(key.instance);
        let function = Function::new(name, FunctionKind::Helper { keep }, &signature.parameters, signature.result);
        let id = self.module.add_function(function);
        self.origins.add_function(id, self.describe_instance(key.instance));
        if self.is_own(self.tcx.def_span(key.instance.def_id())) {
            self.origins.add_own_function(id);
        }
        self.origins.add_call(id, edge);
        self.depths.insert(id, depth);
        self.functions.insert(key.clone(), id);
        self.queue.push_back((key, id));
        Ok(id)
    }

    fn is_too_large(&self, instance: Instance<'tcx>) -> bool {
        let mut length = Length::default();
        instance.args.visit_with(&mut length);
        length.total > MAX_TYPES
    }

    fn endless(&self, instance: Instance<'tcx>, edge: &CallEdge) -> Diagnostic {
        let name = self.describe_instance(instance);
        let place = edge.frames.iter().find(|frame| frame.own).and_then(|frame| frame.position.clone());
        Diagnostic {
            code: "MO0017".to_owned(),
            message: format!("compiling {name} never ends: each version of it needs another one with a larger type"),
            position: place,
            label: "one of the calls".to_owned(),
            notes: Vec::new(),
        }
    }

    /// An address that stands for the table of a type's trait functions. Nobody follows it, but trait objects of different types must
    /// not compare as equal.
    pub fn table_address(&mut self, ty: Ty<'tcx>) -> u64 {
        let next = 8 * (self.tables.len() as u64 + 1);
        *self.tables.entry(ty).or_insert(next)
    }

    /// The identifier of a failure site; equal ones are one.
    pub fn site(&mut self, site: Site) -> SiteId {
        if let Some(&known) = self.sites.get(&site) {
            return known;
        }
        let id = self.module.add_site(site.clone());
        self.sites.insert(site, id);
        id
    }

    /// Whether the user asked for a function of its own.
    fn is_kept(&self, instance: Instance<'tcx>) -> bool {
        use rustc_hir::attrs::InlineAttr;
        use rustc_middle::ty::InstanceKind;
        matches!(instance.def, InstanceKind::Item(id) if self.tcx.codegen_fn_attrs(id).inline == InlineAttr::Never)
    }
}

/// How many types a type is made of, counting repetitions.
#[derive(Default)]
struct Length<'tcx> {
    total: usize,
    known: HashMap<Ty<'tcx>, usize>,
}

impl<'tcx> TypeVisitor<TyCtxt<'tcx>> for Length<'tcx> {
    fn visit_ty(&mut self, ty: Ty<'tcx>) {
        if let Some(&length) = self.known.get(&ty) {
            self.total = self.total.saturating_add(length);
            return;
        }
        let before = self.total;
        self.total = self.total.saturating_add(1);
        ty.super_visit_with(self);
        self.known.insert(ty, self.total - before);
    }
}
