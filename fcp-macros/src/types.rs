//! Types as written. A macro sees no more of a type than its tokens.

use syn::{GenericArgument, PathArguments, PathSegment, ReturnType, Type, TypeReference};

/// The last segment of a type that is a path: `Vec<u8>` of `std::vec::Vec<u8>`.
pub fn last(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        Type::Group(group) => last(&group.elem),
        Type::Paren(paren) => last(&paren.elem),
        _ => None,
    }
}

/// Whether a type has this name, whatever its arguments.
pub fn is(ty: &Type, name: &str) -> bool {
    last(ty).is_some_and(|segment| segment.ident == name)
}

/// The type arguments of a type of this name.
pub fn arguments<'a>(ty: &'a Type, name: &str) -> Option<Vec<&'a Type>> {
    let segment = last(ty).filter(|segment| segment.ident == name)?;
    let PathArguments::AngleBracketed(brackets) = &segment.arguments else {
        return None;
    };
    let arguments = brackets.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    Some(arguments.collect())
}

/// `T` of `Option<T>`, `Vec<T>`, `Id<T>`, `Table<T>`.
pub fn argument<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    match arguments(ty, name)?.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

/// The return type of a function.
pub fn returned(output: &ReturnType) -> Option<&Type> {
    match output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(ty),
    }
}

/// `T` of a returned `Result<T>` or `Result<T, E>`.
pub fn result(output: &ReturnType) -> Option<&Type> {
    arguments(returned(output)?, "Result")?.first().copied()
}

/// The type as a reference, if it is one.
pub fn reference(ty: &Type) -> Option<&TypeReference> {
    match ty {
        Type::Reference(reference) => Some(reference),
        Type::Group(group) => reference(&group.elem),
        Type::Paren(paren) => reference(&paren.elem),
        _ => None,
    }
}

/// `T` of `&T`.
pub fn shared(ty: &Type) -> Option<&Type> {
    let reference = reference(ty)?;
    reference.mutability.is_none().then_some(&*reference.elem)
}

/// `T` of `&mut T`.
pub fn exclusive(ty: &Type) -> Option<&Type> {
    let reference = reference(ty)?;
    reference.mutability.is_some().then_some(&*reference.elem)
}
