//! Places in the source: of instructions, of failures as `#[track_caller]` moves them, and of the calls that lead to them.

use metal_oxide_artifact::Position;
use metal_oxide_ir::{Location, LocationId};
use rustc_middle::mir::SourceInfo;
use rustc_middle::ty::Instance;
use rustc_span::{FileName, RemapPathScopeComponents, Span};

use crate::driver;

use super::body::FunctionImporter;
use super::context::Context;
use super::origin::Frame;

impl<'tcx> Context<'tcx> {
    /// The place that a panic at a span reports: the outermost macro invocation.
    pub fn location(&mut self, span: Span) -> Option<LocationId> {
        if let Some(&known) = self.locations.get(&span) {
            return known;
        }
        let location = self.describe_span(span).map(|location| self.intern_location(location));
        self.locations.insert(span, location);
        location
    }

    fn describe_span(&self, span: Span) -> Option<Location> {
        let outermost = span.ctxt().outer_expn().expansion_cause().unwrap_or(span);
        if outermost.is_dummy() {
            return None;
        }
        let place = self.tcx.sess.source_map().lookup_char_pos(outermost.lo());
        let file = match &place.file.name {
            FileName::Real(name) => name.path(RemapPathScopeComponents::MACRO).to_string_lossy().into_owned(),
            other => other.prefer_remapped_unconditionally().to_string(),
        };
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        Some(Location { file, line: number(place.line), column: number(place.col_display + 1) })
    }

    fn intern_location(&mut self, location: Location) -> LocationId {
        if let Some(&known) = self.location_ids.get(&location) {
            return known;
        }
        let id = self.module.add_location(location.clone());
        self.location_ids.insert(location, id);
        id
    }

    /// A span as a range in the file that the user wrote.
    pub fn position(&self, span: Span) -> Option<Position> {
        driver::position(self.tcx.sess.source_map(), span)
    }

    /// Whether a span stands in the unit's own text, or in another crate of the user's.
    pub fn is_own(&self, span: Span) -> bool {
        let outermost = span.ctxt().outer_expn().expansion_cause().unwrap_or(span);
        if outermost.is_dummy() {
            return false;
        }
        let sources = self.tcx.sess.source_map();
        if !sources.is_imported(outermost) {
            return true;
        }
        if self.own.is_empty() {
            return false;
        }
        let FileName::Real(name) = &sources.lookup_source_file(outermost.lo()).name else { return false };
        let path = name.path(RemapPathScopeComponents::DIAGNOSTICS);
        self.own.iter().any(|folder| path.starts_with(folder))
    }
}

impl<'tcx> FunctionImporter<'_, 'tcx> {
    /// Where the current instruction comes from: the innermost place in the user's text, else the innermost place of all.
    pub fn location(&mut self) -> Option<LocationId> {
        if let Some((source, location)) = self.current_location
            && source == self.source
        {
            return location;
        }
        let own = self.spans(self.source).into_iter().find(|&(span, _)| self.cx.is_own(span));
        let span = own.map_or(self.source.span, |(span, _)| span);
        let location = self.cx.location(span);
        if let Some(id) = location
            && !self.cx.origins.knows_location(id)
        {
            let frames = self.frames(self.source);
            self.cx.origins.add_location(id, self.id, frames);
        }
        self.current_location = Some((self.source, location));
        location
    }

    /// The place that a failure here reports. Functions that are `#[track_caller]` pass the question on to their callers.
    pub fn failure_location(&mut self) -> Option<LocationId> {
        let tcx = self.tcx();
        let known = self.key.caller;
        let body = self.body;
        match known {
            Some(caller) => {
                let place = body.caller_location_span(self.source, Some(Err(caller)), tcx, Ok);
                place.map_or_else(Some, |span| self.cx.location(span))
            }
            None => {
                let span = body.caller_location_span(self.source, None, tcx, |span| span);
                self.cx.location(span)
            }
        }
    }

    /// The places of the calls that MIR inlining has put around a statement, innermost first.
    pub fn frames(&self, source: SourceInfo) -> Vec<Frame> {
        self.spans(source)
            .into_iter()
            .map(|(span, function)| Frame {
                function: self.cx.describe_instance(function),
                position: self.cx.position(span),
                own: self.cx.is_own(span),
            })
            .collect()
    }

    /// Each span with the function it stands in.
    pub fn spans(&self, source: SourceInfo) -> Vec<(Span, Instance<'tcx>)> {
        let scopes = &self.body.source_scopes;
        let (mut span, mut scope) = (source.span, source.scope);
        let mut spans = Vec::new();
        loop {
            let data = &scopes[scope];
            if let Some((callee, call)) = data.inlined {
                spans.push((span, callee));
                span = call;
            }
            match data.inlined_parent_scope {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        spans.push((span, self.key.instance));
        spans
    }
}
