//! Parses modules.
//! Values may be used before the line that defines them: such uses get placeholders, which are replaced when the function ends.

use std::collections::HashMap;

use super::lexer::{Token, TokenKind, tokens};
use crate::{
    Axis, BinaryOperator, BlockId, CastOperator, CompareOperator, Constant, Coordinate, FailureKind, Field, Function, FunctionId,
    FunctionKind, Global, GlobalId, KernelParameter, KernelParameterKind, Location, LocationId, MathFunction, MemoryKind, MemoryType,
    Module, Operation, Relocation, Site, SiteId, Space, Target, Terminator, Type, TypeId, UnaryOperator, Unsupported, UnsupportedId,
    ValueId,
};

/// Why a text is not a module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected.
    pub message: String,
}

/// The module that a text describes. It need not be valid.
///
/// # Errors
/// If the text does not follow the grammar, or names a value, block or function that is not defined.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let tokens = tokens(text).map_err(|(line, message)| ParseError { line, message })?;
    let mut functions = HashMap::new();
    for pair in tokens.windows(3) {
        // Every function header holds `@name` behind `kernel`, `function` or `keep`; calls hold it elsewhere.
        if let [Token { kind: TokenKind::Word(word), .. }, Token { kind: TokenKind::Word(name), .. }, _] = pair
            && matches!(word.as_str(), "kernel" | "function" | "keep")
            && let Some(name) = name.strip_prefix('@')
        {
            functions.insert(name.to_string(), FunctionId::new(functions.len()));
        }
    }
    let mut parser = Parser { tokens, position: 0, module: Module::default(), functions };
    while parser.position < parser.tokens.len() {
        parser.item()?;
    }
    Ok(parser.module)
}

struct Parser {
    tokens: Vec<Token>,
    position: usize,
    module: Module,
    functions: HashMap<String, FunctionId>,
}

/// The function that is being parsed, with the names in its text.
struct Body {
    function: Function,
    values: HashMap<String, ValueId>,
    blocks: HashMap<String, BlockId>,
    /// Uses of values that were not defined yet, by the identifier that stands in for them.
    pending: HashMap<ValueId, (String, usize)>,
}

/// Identifiers from here on stand for values that are not defined yet.
const FIRST_PLACEHOLDER: usize = 1 << 31;

type Parsed<T> = Result<T, ParseError>;

impl Parser {
    fn item(&mut self) -> Parsed<()> {
        match self.word("an item")?.as_str() {
            "location" => {
                self.table_header()?;
                let location = self.location_text()?;
                self.module.locations.push(location);
            }
            "site" => {
                self.table_header()?;
                let kind = self.word("a failure kind")?;
                let kind = FailureKind::from_keyword(&kind).ok_or_else(|| self.error("a failure kind"))?;
                let location = self.location_text()?;
                let message = self.text("the message")?;
                self.module.sites.push(Site { location, kind, message });
            }
            "unsupported" => {
                self.table_header()?;
                let (code, message) = (self.text("the code")?, self.text("the message")?);
                self.module.unsupported.push(Unsupported { code, message });
            }
            "type" => {
                self.table_header()?;
                let ty = self.memory_type()?;
                self.module.types.push(ty);
            }
            "global" => {
                self.table_header()?;
                let global = self.global()?;
                self.module.globals.push(global);
            }
            "kernel" => self.function(true)?,
            "function" => self.function(false)?,
            _ => return Err(self.error_before("`location`, `site`, `unsupported`, `type`, `global`, `kernel` or `function`")),
        }
        Ok(())
    }

    /// `name3 =`, whose number is the position in the table and is not checked.
    fn table_header(&mut self) -> Parsed<()> {
        self.word("a name")?;
        self.symbol('=')
    }

    fn location_text(&mut self) -> Parsed<Location> {
        Ok(Location { file: self.text("the file")?, line: self.number("the line")? as u32, column: self.number("the column")? as u32 })
    }

    fn memory_type(&mut self) -> Parsed<MemoryType> {
        let name = self.text("the type's name")?;
        self.keyword("size")?;
        let size = self.number("the size")?;
        self.keyword("align")?;
        let align = self.number("the alignment")?;
        let kind = match self.word("the kind of type")?.as_str() {
            "scalar" => MemoryKind::Scalar { ty: self.ty()?, signed: self.accept("signed") },
            "array" => MemoryKind::Array { element: self.type_id()?, count: self.number("the element count")? },
            "struct" => {
                let mut fields = Vec::new();
                self.symbol('{')?;
                while !self.accept_symbol('}') {
                    fields.push(Field {
                        name: self.text("the field's name")?,
                        offset: self.number("the field's offset")?,
                        ty: self.type_id()?,
                    });
                    self.accept_symbol(',');
                }
                MemoryKind::Struct { fields }
            }
            "opaque" => MemoryKind::Opaque,
            _ => return Err(self.error_before("`scalar`, `array`, `struct` or `opaque`")),
        };
        Ok(MemoryType { name, size, align, kind })
    }

    fn global(&mut self) -> Parsed<Global> {
        let name = self.text("the table's name")?;
        let ty = self.type_id()?;
        let digits = self.text("the bytes")?;
        let bytes = (0..digits.len() / 2).map(|index| u8::from_str_radix(&digits[2 * index..2 * index + 2], 16));
        let bytes = bytes.collect::<Result<_, _>>().map_err(|_| self.error_before("pairs of hexadecimal digits"))?;
        let mut relocations = Vec::new();
        while matches!(self.peek(), Some(TokenKind::Word(word)) if word.parse::<u64>().is_ok()) {
            let offset = self.number("an offset")?;
            self.symbol(':')?;
            let target = GlobalId::new(self.numbered("global", "a table")?);
            self.symbol('+')?;
            relocations.push(Relocation { offset, target, addend: self.number("an offset")? });
        }
        Ok(Global { name, ty, bytes, relocations })
    }

    fn function(&mut self, is_kernel: bool) -> Parsed<()> {
        let keep = !is_kernel && self.accept("keep");
        let name = self.prefixed('@', "the function's name")?;
        let kind = if is_kernel { FunctionKind::Kernel { parameters: self.kernel_parameters()? } } else { FunctionKind::Helper { keep } };
        let result = if self.peek() == Some(&TokenKind::Arrow) {
            self.position += 1;
            Some(self.ty()?)
        } else {
            None
        };
        self.symbol('{')?;
        let mut function = Function::new(name, kind, &[], result);
        let mut blocks = HashMap::new();
        for name in self.block_names() {
            // The entry exists already.
            let block = if blocks.is_empty() { function.entry() } else { function.add_block() };
            blocks.insert(name, block);
        }
        let mut body = Body { function, values: HashMap::new(), blocks, pending: HashMap::new() };
        while !self.accept_symbol('}') {
            self.block(&mut body)?;
        }
        let function = body.finish()?;
        self.module.functions.push(function);
        Ok(())
    }

    fn kernel_parameters(&mut self) -> Parsed<Vec<KernelParameter>> {
        let mut parameters = Vec::new();
        self.symbol('(')?;
        while !self.accept_symbol(')') {
            let name = self.word("a parameter's name")?;
            self.symbol(':')?;
            let kind = match self.word("the kind of parameter")?.as_str() {
                "buffer" => {
                    let writable = self.accept("mut");
                    KernelParameterKind::Buffer { element: self.type_id()?, writable }
                }
                "scalar" => KernelParameterKind::Scalar { ty: self.type_id()? },
                "aggregate" => KernelParameterKind::Aggregate { ty: self.type_id()? },
                _ => return Err(self.error_before("`buffer`, `scalar` or `aggregate`")),
            };
            parameters.push(KernelParameter { name, kind });
            self.accept_symbol(',');
        }
        Ok(parameters)
    }

    /// The names of the blocks up to the end of the function: words that start a line, look like a block and are not a jump's target.
    fn block_names(&self) -> Vec<String> {
        let body = self.tokens[self.position..].iter().take_while(|token| token.kind != TokenKind::Symbol('}'));
        let mut last_line = 0;
        let mut names = Vec::new();
        for token in body {
            if token.line != last_line
                && let TokenKind::Word(word) = &token.kind
                && word.starts_with("block")
            {
                names.push(word.clone());
            }
            last_line = token.line;
        }
        names
    }

    fn block(&mut self, body: &mut Body) -> Parsed<()> {
        let name = self.word("a block")?;
        let block = *body.blocks.get(&name).ok_or_else(|| self.error_before("a block"))?;
        if self.accept_symbol('(') {
            while !self.accept_symbol(')') {
                let name = self.prefixed('%', "a parameter")?;
                self.symbol(':')?;
                let ty = self.ty()?;
                let value = body.function.add_parameter(block, ty);
                body.define(&name, value);
                self.accept_symbol(',');
            }
        }
        self.symbol(':')?;
        loop {
            let first = self.word("an instruction")?;
            if let Some(terminator) = self.terminator(&first, body)? {
                let location = self.location()?;
                body.function.terminate(block, terminator, location);
                return Ok(());
            }
            let (result, keyword) = match first.strip_prefix('%') {
                Some(name) => {
                    self.symbol('=')?;
                    (Some(name.to_string()), self.word("an operation")?)
                }
                None => (None, first),
            };
            let (operation, ty) = self.operation(&keyword, body)?;
            let location = self.location()?;
            let instruction = body.function.create_instruction(operation, ty, location);
            body.function.block_mut(block).instructions.push(instruction);
            match (result, body.function.instruction(instruction).result) {
                (Some(name), Some(value)) => body.define(&name, value),
                (None, None) => {}
                (Some(_), None) => return Err(self.error_before("an operation that has a result")),
                (None, Some(_)) => return Err(self.error_before("a name for the result")),
            }
        }
    }

    fn operation(&mut self, keyword: &str, body: &mut Body) -> Parsed<(Operation, Option<Type>)> {
        if let Some(operator) = BinaryOperator::from_keyword(keyword) {
            let ty = self.ty()?;
            let (a, b) = self.two(body, ty, ty)?;
            return Ok((Operation::Binary(operator, a, b), Some(ty)));
        }
        if let Some(operator) = CompareOperator::from_keyword(keyword) {
            let ty = self.ty()?;
            let (a, b) = self.two(body, ty, ty)?;
            return Ok((Operation::Compare(operator, a, b), Some(Type::Bool)));
        }
        if let Some(operator) = CastOperator::from_keyword(keyword) {
            let from = self.ty()?;
            let value = self.operand(body, Some(from))?;
            self.keyword("to")?;
            return Ok((Operation::Cast(operator, value), Some(self.ty()?)));
        }
        if let Some(operator) = UnaryOperator::from_keyword(keyword) {
            let ty = self.ty()?;
            return Ok((Operation::Unary(operator, self.operand(body, Some(ty))?), Some(ty)));
        }
        if let Some(function) = MathFunction::from_keyword(keyword) {
            let ty = self.ty()?;
            let mut operands = vec![self.operand(body, Some(ty))?];
            while self.accept_symbol(',') {
                operands.push(self.operand(body, Some(ty))?);
            }
            return Ok((Operation::Math(function, operands), Some(ty)));
        }
        self.other_operation(keyword, body)
    }

    fn other_operation(&mut self, keyword: &str, body: &mut Body) -> Parsed<(Operation, Option<Type>)> {
        Ok(match keyword {
            "select" => {
                let ty = self.ty()?;
                let condition = self.operand(body, Some(Type::Bool))?;
                self.symbol(',')?;
                let (a, b) = self.two(body, ty, ty)?;
                (Operation::Select(condition, a, b), Some(ty))
            }
            "slot" => {
                let ty = self.ty()?;
                (Operation::Slot(self.type_id()?), Some(ty))
            }
            "load" => {
                let ty = self.ty()?;
                (Operation::Load(self.operand(body, None)?), Some(ty))
            }
            "store" => {
                let ty = self.ty()?;
                let value = self.operand(body, Some(ty))?;
                self.symbol(',')?;
                (Operation::Store { pointer: self.operand(body, None)?, value }, None)
            }
            "copy" => {
                let bytes = self.number("a number of bytes")?;
                self.keyword("align")?;
                let align = self.number("an alignment")?;
                let to = self.operand(body, None)?;
                self.symbol(',')?;
                (Operation::Copy { to, from: self.operand(body, None)?, bytes, align }, None)
            }
            "element" => {
                let result = self.ty()?;
                let ty = self.type_id()?;
                self.symbol(',')?;
                let base = self.operand(body, None)?;
                self.symbol(',')?;
                (Operation::Element { base, index: self.operand(body, Some(Type::I64))?, ty }, Some(result))
            }
            "field" => {
                let result = self.ty()?;
                let name = self.word("a field, such as `type2.1`")?;
                let parts = name.strip_prefix("type").and_then(|rest| rest.split_once('.'));
                let numbers = parts.and_then(|(ty, field)| Some((ty.parse().ok()?, field.parse().ok()?)));
                let (ty, field): (usize, u32) = numbers.ok_or_else(|| self.error_before("a field, such as `type2.1`"))?;
                self.symbol(',')?;
                (Operation::Field { base: self.operand(body, None)?, ty: TypeId::new(ty), field }, Some(result))
            }
            "offset" => {
                let result = self.ty()?;
                let base = self.operand(body, None)?;
                self.symbol(',')?;
                (Operation::Offset { base, bytes: self.operand(body, Some(Type::I64))? }, Some(result))
            }
            "call" => {
                let result =
                    if matches!(self.peek(), Some(TokenKind::Word(word)) if word.starts_with('@')) { None } else { Some(self.ty()?) };
                let name = self.prefixed('@', "a function")?;
                let function = *self.functions.get(&name).ok_or_else(|| self.error_before("a function of the module"))?;
                (Operation::Call(function, self.arguments(body)?), result)
            }
            "coordinate" => {
                let name = self.word("a coordinate")?;
                let coordinate = name.split_once('.').and_then(|(coordinate, axis)| {
                    Some(Operation::Coordinate(Coordinate::from_keyword(coordinate)?, Axis::from_keyword(axis)?))
                });
                (coordinate.ok_or_else(|| self.error_before("a coordinate, such as `thread_in_grid.x`"))?, Some(Type::I32))
            }
            "assume" => (Operation::Assume(self.operand(body, Some(Type::Bool))?), None),
            _ => return Err(self.error_before("an operation")),
        })
    }

    fn terminator(&mut self, keyword: &str, body: &mut Body) -> Parsed<Option<Terminator>> {
        Ok(Some(match keyword {
            "br" => Terminator::Branch(self.target(body)?),
            "cond_br" => {
                let condition = self.operand(body, Some(Type::Bool))?;
                self.symbol(',')?;
                let then = self.target(body)?;
                self.symbol(',')?;
                Terminator::CondBranch { condition, then, otherwise: self.target(body)? }
            }
            "switch" => {
                let ty = self.ty()?;
                let value = self.operand(body, Some(ty))?;
                let mut cases = Vec::new();
                loop {
                    self.symbol(',')?;
                    if self.accept("default") {
                        self.symbol(':')?;
                        break Terminator::Switch { value, cases, default: self.target(body)? };
                    }
                    let case = self.constant(ty)?;
                    let bits = case.as_unsigned().ok_or_else(|| self.error_before("an integer"))?;
                    self.symbol(':')?;
                    cases.push((bits, self.target(body)?));
                }
            }
            "return" => {
                let ends = match self.peek() {
                    Some(TokenKind::Word(word)) => word.starts_with("block"),
                    Some(TokenKind::Symbol('}' | '!')) | None => true,
                    Some(_) => false,
                };
                Terminator::Return(if ends { None } else { Some(self.operand(body, None)?) })
            }
            "fail" => Terminator::Fail(SiteId::new(self.numbered("site", "a site")?)),
            "unsupported" => Terminator::Unsupported(UnsupportedId::new(self.numbered("unsupported", "a reason")?)),
            "unreachable" => Terminator::Unreachable,
            _ => return Ok(None),
        }))
    }

    fn target(&mut self, body: &mut Body) -> Parsed<Target> {
        let name = self.word("a block")?;
        let block = *body.blocks.get(&name).ok_or_else(|| self.error_before("a block of the function"))?;
        let arguments = if self.peek() == Some(&TokenKind::Symbol('(')) { self.arguments(body)? } else { Vec::new() };
        Ok(Target { block, arguments })
    }

    fn arguments(&mut self, body: &mut Body) -> Parsed<Vec<ValueId>> {
        let mut arguments = Vec::new();
        self.symbol('(')?;
        while !self.accept_symbol(')') {
            arguments.push(self.operand(body, None)?);
            self.accept_symbol(',');
        }
        Ok(arguments)
    }

    fn two(&mut self, body: &mut Body, first: Type, second: Type) -> Parsed<(ValueId, ValueId)> {
        let a = self.operand(body, Some(first))?;
        self.symbol(',')?;
        Ok((a, self.operand(body, Some(second))?))
    }

    /// A value or a constant; a constant without a type of its own has the type `ty`.
    fn operand(&mut self, body: &mut Body, ty: Option<Type>) -> Parsed<ValueId> {
        if let Some(TokenKind::Word(word)) = self.peek()
            && let Some(name) = word.strip_prefix('%')
        {
            let name = name.to_string();
            let line = self.line();
            self.position += 1;
            return Ok(body.value(&name, line));
        }
        let typed = matches!(self.tokens.get(self.position + 1), Some(Token { kind: TokenKind::Symbol(':'), .. }));
        let constant = match (typed, ty) {
            (false, Some(ty)) => self.constant(ty)?,
            (true, None) => {
                let start = self.position;
                self.position += 2;
                let ty = self.ty()?;
                let end = std::mem::replace(&mut self.position, start);
                let constant = self.constant(ty)?;
                self.position = end;
                constant
            }
            // The one constant that needs no type.
            (false, None) => Constant::Global(GlobalId::new(self.numbered("global", "a value or a typed constant, such as `0:i64`")?)),
            (true, Some(_)) => return Err(self.error("a constant without a type")),
        };
        Ok(body.function.add_constant(constant))
    }

    fn constant(&mut self, ty: Type) -> Parsed<Constant> {
        let word = self.word("a constant")?;
        let integer = |text: &str| match text.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16).ok(),
            None => text.parse::<i128>().ok().map(|value| value as u128),
        };
        let bits = match (word.as_str(), ty) {
            ("undef", _) => return Ok(Constant::Undef(ty)),
            ("true", Type::Bool) => Some(1),
            ("false", Type::Bool) => Some(0),
            (text, Type::Pointer(_)) if text.starts_with("global") => {
                self.position -= 1;
                return Ok(Constant::Global(GlobalId::new(self.numbered("global", "a table")?)));
            }
            (text, Type::F32) if !text.starts_with("0x") => text.parse::<f32>().ok().map(|value| value.to_bits().into()),
            (text, _) => integer(text),
        };
        let bits = bits.ok_or_else(|| self.error_before("a constant"))?;
        Ok(Constant::integer(ty, bits as i128))
    }

    fn location(&mut self) -> Parsed<Option<LocationId>> {
        if !self.accept_symbol('!') {
            return Ok(None);
        }
        Ok(Some(LocationId::new(self.numbered("loc", "a location")?)))
    }

    fn ty(&mut self) -> Parsed<Type> {
        let word = self.word("a type")?;
        let ty = match word.as_str() {
            "bool" => Type::Bool,
            "i8" => Type::I8,
            "i16" => Type::I16,
            "i32" => Type::I32,
            "i64" => Type::I64,
            "i128" => Type::I128,
            "f16" => Type::F16,
            "bf16" => Type::BF16,
            "f32" => Type::F32,
            "f64" => Type::F64,
            "ptr" => Type::Pointer(Space::Generic),
            _ => return Err(self.error_before("a type")),
        };
        if word == "ptr" && self.accept_symbol('<') {
            let space = match self.word("an address space")?.as_str() {
                "generic" => Space::Generic,
                "device" => Space::Device,
                "constant" => Space::Constant,
                "threadgroup" => Space::Threadgroup,
                "thread" => Space::Thread,
                _ => return Err(self.error_before("an address space")),
            };
            self.symbol('>')?;
            return Ok(Type::Pointer(space));
        }
        Ok(ty)
    }

    fn type_id(&mut self) -> Parsed<TypeId> {
        Ok(TypeId::new(self.numbered("type", "a memory type, such as `type0`")?))
    }

    /// A word made of `prefix` and a number.
    fn numbered(&mut self, prefix: &str, expected: &str) -> Parsed<usize> {
        let word = self.word(expected)?;
        word.strip_prefix(prefix).and_then(|digits| digits.parse().ok()).ok_or_else(|| self.error_before(expected))
    }

    /// A word that starts with a character, which is dropped.
    fn prefixed(&mut self, prefix: char, expected: &str) -> Parsed<String> {
        let word = self.word(expected)?;
        word.strip_prefix(prefix).map(str::to_string).ok_or_else(|| self.error_before(expected))
    }

    fn number(&mut self, expected: &str) -> Parsed<u64> {
        self.word(expected)?.parse().map_err(|_| self.error_before(expected))
    }

    fn word(&mut self, expected: &str) -> Parsed<String> {
        match self.peek() {
            Some(TokenKind::Word(word)) => {
                let word = word.clone();
                self.position += 1;
                Ok(word)
            }
            _ => Err(self.error(expected)),
        }
    }

    fn text(&mut self, expected: &str) -> Parsed<String> {
        match self.peek() {
            Some(TokenKind::Text(text)) => {
                let text = text.clone();
                self.position += 1;
                Ok(text)
            }
            _ => Err(self.error(&format!("{expected} in quotes"))),
        }
    }

    fn keyword(&mut self, keyword: &str) -> Parsed<()> {
        if self.accept(keyword) { Ok(()) } else { Err(self.error(&format!("`{keyword}`"))) }
    }

    fn symbol(&mut self, symbol: char) -> Parsed<()> {
        if self.accept_symbol(symbol) { Ok(()) } else { Err(self.error(&format!("`{symbol}`"))) }
    }

    fn accept(&mut self, keyword: &str) -> bool {
        let found = matches!(self.peek(), Some(TokenKind::Word(word)) if word == keyword);
        self.position += usize::from(found);
        found
    }

    fn accept_symbol(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(&TokenKind::Symbol(symbol));
        self.position += usize::from(found);
        found
    }

    fn peek(&self) -> Option<&TokenKind> {
        self.tokens.get(self.position).map(|token| &token.kind)
    }

    fn line(&self) -> usize {
        self.tokens.get(self.position).or(self.tokens.last()).map_or(1, |token| token.line)
    }

    /// An error at the next token.
    fn error(&self, expected: &str) -> ParseError {
        ParseError { line: self.line(), message: format!("expected {expected}") }
    }

    /// An error at the token that was just taken.
    fn error_before(&self, expected: &str) -> ParseError {
        let line = self.tokens[self.position.saturating_sub(1)].line;
        ParseError { line, message: format!("expected {expected}") }
    }
}

impl Body {
    /// Records the definition of `%number` or `%number.name`.
    fn define(&mut self, text: &str, value: ValueId) {
        let (number, name) = text.split_once('.').map_or((text, None), |(number, name)| (number, Some(name)));
        self.values.insert(number.into(), value);
        if let Some(name) = name {
            self.function.set_name(value, name);
        }
    }

    /// The value of a use, or a placeholder if its definition comes later.
    fn value(&mut self, text: &str, line: usize) -> ValueId {
        let number = text.split('.').next().unwrap_or(text);
        if let Some(&value) = self.values.get(number) {
            return value;
        }
        let placeholder = ValueId::new(FIRST_PLACEHOLDER + self.pending.len());
        self.pending.insert(placeholder, (number.into(), line));
        placeholder
    }

    /// The function, with all placeholders replaced.
    fn finish(mut self) -> Parsed<Function> {
        let mut resolved = HashMap::new();
        for (placeholder, (number, line)) in self.pending {
            let value = self.values.get(&number);
            let value = value.ok_or_else(|| ParseError { line, message: format!("`%{number}` is not defined") })?;
            resolved.insert(placeholder, *value);
        }
        self.function.rewrite_operands(|value| resolved.get(&value).copied().unwrap_or(value));
        Ok(self.function)
    }
}
