//! The import of one function: its locals, blocks and statements.
//! The order and the rules are those of rustc's own code generation.

use std::collections::HashMap;

use metal_oxide_ir::{BlockId, Function, FunctionId, LocationId, Operation, Terminator, ValueId};
use rustc_abi::VariantIdx;
use rustc_index::IndexVec;
use rustc_index::bit_set::DenseBitSet;
use rustc_middle::mir::{self, NonDivergingIntrinsic, StatementKind, traversal};
use rustc_middle::ty::{EarlyBinder, Ty, TyCtxt, TypeFoldable};

use super::abi::{self, Argument};
use super::analysis;
use super::context::{Context, FunctionKey, Import};
use super::types::Class;
use super::value::{Operand, Place, Value};

/// What a local of the MIR is.
#[derive(Clone, Copy, Debug)]
pub enum LocalValue<'tcx> {
    /// It stands in memory.
    Place(Place<'tcx>),
    /// It is a value that never changes.
    Operand(Operand<'tcx>),
    /// It will be a value when its assignment is imported.
    Pending,
}

/// The state of importing one function.
pub struct FunctionImporter<'a, 'tcx> {
    /// What all functions share.
    pub cx: &'a mut Context<'tcx>,
    /// What is imported.
    pub key: FunctionKey<'tcx>,
    /// The function's identifier in the module.
    pub id: FunctionId,
    /// Its MIR.
    pub body: &'tcx mir::Body<'tcx>,
    /// The function as it grows.
    pub function: Function,
    /// Where instructions are appended.
    pub block: BlockId,
    /// What the locals are.
    pub locals: IndexVec<mir::Local, LocalValue<'tcx>>,
    /// Where the result goes, if the caller provides memory for it.
    pub result_pointer: Option<ValueId>,
    /// Where the current statement comes from.
    pub source: mir::SourceInfo,
    pub(super) current_location: Option<(mir::SourceInfo, Option<LocationId>)>,
    pub(super) names: HashMap<mir::Local, String>,
    blocks: IndexVec<mir::BasicBlock, Option<BlockId>>,
}

/// Imports a function's body into the module, where it is declared already.
pub fn import_function<'tcx>(cx: &mut Context<'tcx>, key: FunctionKey<'tcx>, id: FunctionId) -> Import<()> {
    let body = cx.tcx.instance_mir(key.instance.def);
    let function = cx.module.function(id).clone();
    let block = function.entry();
    let names = analysis::variable_names(cx.tcx, body);
    let mut importer = FunctionImporter {
        cx,
        id,
        body,
        function,
        block,
        locals: IndexVec::from_elem(LocalValue::Pending, &body.local_decls),
        result_pointer: None,
        source: mir::SourceInfo::outermost(body.span),
        current_location: None,
        names,
        blocks: IndexVec::from_elem(None, &body.basic_blocks),
        key,
    };
    importer.import()?;
    let function = importer.function;
    cx.module.functions[id.index()] = function;
    Ok(())
}

impl<'tcx> FunctionImporter<'_, 'tcx> {
    fn import(&mut self) -> Import<()> {
        self.evaluate_required_constants()?;
        let order = traversal::mono_reachable_reverse_postorder(self.body, self.tcx(), self.key.instance);
        let in_memory = analysis::memory_locals(self, &order)?;
        self.arguments(&in_memory)?;
        for local in self.body.local_decls.indices() {
            if self.body.args_iter().any(|argument| argument == local) {
                continue;
            }
            self.prepare_local(local, in_memory.contains(local))?;
        }
        let start = self.block_for(mir::START_BLOCK);
        // Blocks behind a branch whose condition is known are never asked for. A round may ask for a block that stands before what leads
        // to it, where the graph has loops with several entries.
        let mut imported = DenseBitSet::new_empty(self.body.basic_blocks.len());
        loop {
            let mut changed = false;
            for &block in &order {
                if self.blocks[block].is_some() && imported.insert(block) {
                    self.import_block(block)?;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        // Slots were put into the entry block meanwhile.
        self.function.terminate(self.function.entry(), Terminator::branch(start), None);
        Ok(())
    }

    /// rustc's context.
    pub fn tcx(&self) -> TyCtxt<'tcx> {
        self.cx.tcx
    }

    /// Replaces generic parameters by what they are in this instance.
    pub fn monomorphize<T: TypeFoldable<TyCtxt<'tcx>>>(&self, value: T) -> T {
        let typing_env = self.cx.typing_env();
        self.key.instance.instantiate_mir_and_normalize_erasing_regions(self.tcx(), typing_env, EarlyBinder::bind(value))
    }

    /// The type of a local.
    pub fn local_type(&self, local: mir::Local) -> Ty<'tcx> {
        self.monomorphize(self.body.local_decls[local].ty)
    }

    /// The type of a place.
    pub fn place_type(&self, place: mir::PlaceRef<'tcx>) -> Ty<'tcx> {
        self.monomorphize(place.ty(self.body, self.tcx()).ty)
    }

    /// The block that a MIR block becomes.
    pub fn block_for(&mut self, block: mir::BasicBlock) -> BlockId {
        if let Some(known) = self.blocks[block] {
            return known;
        }
        let new = self.function.add_block();
        self.blocks[block] = Some(new);
        new
    }

    /// Gives the parameters of the function to the locals that are its arguments.
    fn arguments(&mut self, in_memory: &DenseBitSet<mir::Local>) -> Import<()> {
        let signature = abi::signature(self.cx, self.key.instance)?;
        let mut parameters = self.function.parameters().to_vec().into_iter();
        if signature.result_in_memory {
            self.result_pointer = parameters.next();
        }
        let mut arguments = signature.arguments.iter();
        for local in self.body.args_iter() {
            let layout = self.cx.layout(self.local_type(local))?;
            if Some(local) == self.body.spread_arg {
                // The callers pass the elements of this tuple one by one.
                let tuple = self.allocate(layout)?;
                for index in 0..layout.fields.count() {
                    let field = self.project_field(tuple, index)?;
                    let operand = self.take_argument(arguments.next().copied(), &mut parameters);
                    self.store_operand(operand.unwrap_or(Operand { value: Value::ZeroSized, layout: field.layout }), field)?;
                }
                self.locals[local] = LocalValue::Place(tuple);
                continue;
            }
            let operand = self.take_argument(arguments.next().copied(), &mut parameters);
            let operand = operand.unwrap_or(Operand { value: Value::ZeroSized, layout });
            self.name_value(local, operand);
            self.locals[local] = match operand.value {
                Value::Memory(address) => LocalValue::Place(Place { address, layout }),
                _ if in_memory.contains(local) => LocalValue::Place(self.spill(operand)?),
                _ => LocalValue::Operand(operand),
            };
            self.name_place(local);
        }
        Ok(())
    }

    /// One argument, made of the parameters that carry it.
    fn take_argument(&mut self, argument: Option<Argument<'tcx>>, parameters: &mut impl Iterator<Item = ValueId>) -> Option<Operand<'tcx>> {
        let layout = argument?.layout;
        let value = match self.class(layout) {
            Class::ZeroSized => Value::ZeroSized,
            Class::Scalar(_) => Value::Scalar(parameters.next()?),
            Class::Pair(..) => Value::Pair(parameters.next()?, parameters.next()?),
            Class::Memory => Value::Memory(Place::new(parameters.next()?, layout).address),
        };
        Some(Operand { value, layout })
    }

    fn prepare_local(&mut self, local: mir::Local, in_memory: bool) -> Import<()> {
        let layout = self.cx.layout(self.local_type(local))?;
        self.locals[local] = if local == mir::RETURN_PLACE
            && let Some(pointer) = self.result_pointer
        {
            LocalValue::Place(Place::new(pointer, layout))
        } else if layout.is_zst() {
            LocalValue::Operand(Operand { value: Value::ZeroSized, layout })
        } else if in_memory {
            LocalValue::Place(self.allocate(layout)?)
        } else {
            LocalValue::Pending
        };
        self.name_place(local);
        Ok(())
    }

    /// Memory that holds a value.
    pub fn spill(&mut self, operand: Operand<'tcx>) -> Import<Place<'tcx>> {
        let place = self.allocate(operand.layout)?;
        self.store_operand(operand, place)?;
        Ok(place)
    }

    fn import_block(&mut self, block: mir::BasicBlock) -> Import<()> {
        self.block = self.block_for(block);
        let data = &self.body.basic_blocks[block];
        for statement in &data.statements {
            self.source = statement.source_info;
            self.cx.span = self.source.span;
            self.statement(&statement.kind)?;
        }
        let terminator = data.terminator();
        self.source = terminator.source_info;
        self.cx.span = self.source.span;
        self.terminator(terminator)
    }

    fn statement(&mut self, statement: &StatementKind<'tcx>) -> Import<()> {
        match statement {
            StatementKind::Assign(assignment) => {
                let (place, rvalue) = &**assignment;
                self.assign(*place, rvalue)
            }
            StatementKind::SetDiscriminant { place, variant_index } => {
                let place = self.place((**place).as_ref())?;
                self.set_discriminant(place, *variant_index)
            }
            StatementKind::Intrinsic(intrinsic) => match &**intrinsic {
                NonDivergingIntrinsic::Assume(condition) => {
                    let condition = self.operand(condition)?.value.scalar();
                    self.effect(Operation::Assume(condition));
                    Ok(())
                }
                NonDivergingIntrinsic::CopyNonOverlapping(copy) => {
                    let (to, from) = (self.operand(&copy.dst)?, self.operand(&copy.src)?);
                    let count = self.operand(&copy.count)?.value.scalar();
                    let pointee = self.pointee(to)?;
                    self.copy_elements(to.value.scalar(), from.value.scalar(), count, pointee)
                }
            },
            StatementKind::StorageLive(_)
            | StatementKind::StorageDead(_)
            | StatementKind::FakeRead(..)
            | StatementKind::Retag(..)
            | StatementKind::AscribeUserType(..)
            | StatementKind::Coverage(..)
            | StatementKind::ConstEvalCounter
            | StatementKind::PlaceMention(..)
            | StatementKind::BackwardIncompatibleDropHint { .. }
            | StatementKind::Nop => Ok(()),
        }
    }

    fn assign(&mut self, place: mir::Place<'tcx>, rvalue: &mir::Rvalue<'tcx>) -> Import<()> {
        let Some(local) = place.as_local() else {
            let place = self.place(place.as_ref())?;
            return self.rvalue_into(place, rvalue);
        };
        match self.locals[local] {
            LocalValue::Place(place) => self.rvalue_into(place, rvalue),
            LocalValue::Pending => {
                let operand = self.rvalue(rvalue)?;
                self.define_local(local, operand);
                Ok(())
            }
            // No bytes change, but the right-hand side may have effects.
            LocalValue::Operand(_) => self.rvalue(rvalue).map(|_| ()),
        }
    }

    /// Gives a local its only value.
    pub fn define_local(&mut self, local: mir::Local, operand: Operand<'tcx>) {
        self.name_value(local, operand);
        self.locals[local] = LocalValue::Operand(operand);
    }

    /// Evaluates the constants that must hold even where they are not used, such as `const { assert!(..) }`.
    fn evaluate_required_constants(&mut self) -> Import<()> {
        for constant in self.body.required_consts() {
            self.evaluate(constant)?;
        }
        Ok(())
    }

    /// Names the values of a user's variable after it.
    fn name_value(&mut self, local: mir::Local, operand: Operand<'tcx>) {
        let Some(name) = self.names.get(&local).cloned() else { return };
        match operand.value {
            Value::Scalar(value) => self.name(value, name),
            Value::Pair(first, second) => {
                let [first_part, second_part] = self.cx.part_names(operand.layout);
                self.name(second, format!("{name}{second_part}"));
                self.name(first, format!("{name}{first_part}"));
            }
            _ => {}
        }
    }

    fn name_place(&mut self, local: mir::Local) {
        if let LocalValue::Place(place) = self.locals[local]
            && let Some(name) = self.names.get(&local).cloned()
        {
            self.name(place.address.pointer, name);
        }
    }

    /// The first name that a value gets is the best.
    fn name(&mut self, value: ValueId, name: String) {
        if self.function.constant(value).is_none() && self.function.name(value).is_none() {
            self.function.set_name(value, name);
        }
    }

    /// Makes a place hold a variant of its enum, as far as its tag says so.
    fn set_discriminant(&mut self, place: Place<'tcx>, variant: VariantIdx) -> Import<()> {
        self.store_tag(place, variant)
    }
}
