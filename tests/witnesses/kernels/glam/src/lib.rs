//! Kernels that call `glam`: vectors, matrices, quaternions and transforms, without SIMD and with `libm`.
#![no_std]

use glam::{
    Affine2, Affine3A, BVec3, EulerRot, IVec2, IVec3, IVec4, Mat2, Mat3, Mat3A, Mat4, Quat, UVec3, Vec2, Vec3, Vec3A, Vec3Swizzles, Vec4,
    Vec4Swizzles,
};
use metal_oxide_device::{DisjointBuffer, ReadBuffer, kernel, thread_index};
use witness_support::{Bits, mix, table};

/// The numbers that a function makes its vectors and matrices of.
pub type Numbers = [f32; 12];

/// Values of `glam` as bits.
struct Of<T>(T);

macro_rules! of {
    ($($ty:ty = $to_array:ident;)*) => {$(
        impl Bits for Of<$ty> {
            fn bits(self) -> u64 {
                self.0.$to_array().bits()
            }
        }
    )*};
}

of! {
    Vec2 = to_array;
    Vec3 = to_array;
    Vec3A = to_array;
    Vec4 = to_array;
    IVec2 = to_array;
    IVec3 = to_array;
    IVec4 = to_array;
    UVec3 = to_array;
    Quat = to_array;
    Mat2 = to_cols_array;
    Mat3 = to_cols_array;
    Mat3A = to_cols_array;
    Mat4 = to_cols_array;
    Affine2 = to_cols_array;
    Affine3A = to_cols_array;
}

impl Bits for Of<BVec3> {
    fn bits(self) -> u64 {
        self.0.bitmask().bits()
    }
}

impl<A, B> Bits for Of<(A, B)>
where
    Of<A>: Bits,
    Of<B>: Bits,
{
    fn bits(self) -> u64 {
        mix(Of(self.0.0).bits(), Of(self.0.1).bits())
    }
}

fn vec2(n: &Numbers) -> Vec2 {
    Vec2::new(n[0], n[1])
}

fn vec3(n: &Numbers) -> Vec3 {
    Vec3::new(n[0], n[1], n[2])
}

fn other3(n: &Numbers) -> Vec3 {
    Vec3::from_slice(&n[3..])
}

fn vec3a(n: &Numbers) -> Vec3A {
    Vec3A::from(vec3(n))
}

fn vec4(n: &Numbers) -> Vec4 {
    Vec4::from_slice(n)
}

fn other4(n: &Numbers) -> Vec4 {
    Vec4::from_slice(&n[4..])
}

fn mat2(n: &Numbers) -> Mat2 {
    Mat2::from_cols_slice(&n[2..])
}

fn mat3(n: &Numbers) -> Mat3 {
    Mat3::from_cols_slice(&n[3..])
}

fn mat4(n: &Numbers) -> Mat4 {
    Mat4::from_cols(vec4(n), other4(n), Vec4::from_slice(&n[8..]), Vec4::new(n[11], n[7], n[3], 1.0))
}

fn quat(n: &Numbers) -> Quat {
    let vector = Vec4::from_slice(&n[8..]);
    if vector.length_squared() > 1e-6 { Quat::from_vec4(vector.normalize()) } else { Quat::IDENTITY }
}

fn axis(n: &Numbers) -> Vec3 {
    vec3(n).try_normalize().unwrap_or(Vec3::X)
}

table! {
    /// Functions of vectors.
    VECTORS, vectors(n: &Numbers) =
    sum2 Of(vec2(n) + vec2(n).perp() * n[2]);
    dot2 (vec2(n).dot(Vec2::new(n[2], n[3])), vec2(n).perp_dot(Vec2::new(n[2], n[3])));
    angle2 (vec2(n).to_angle(), vec2(n).angle_to(Vec2::new(n[2], n[3])));
    from_angle Of(Vec2::from_angle(n[0]).rotate(vec2(n)));
    dot vec3(n).dot(other3(n));
    cross Of(vec3(n).cross(other3(n)));
    length (vec3(n).length(), vec3(n).length_squared(), vec3(n).distance(other3(n)));
    normalize Of(vec3(n).normalize_or_zero());
    try_normalize vec3(n).try_normalize().map(Of);
    length_recip vec3(n).length_recip();
    clamp_length Of(vec3(n).clamp_length(0.5, 2.0));
    lerp Of(vec3(n).lerp(other3(n), n[6]));
    move_towards Of(vec3(n).move_towards(other3(n), 0.25));
    midpoint Of(vec3(n).midpoint(other3(n)));
    project Of(vec3(n).project_onto(axis(&[n[3], n[4], n[5], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])));
    reject Of(vec3(n).reject_from(Vec3::new(0.0, 3.0, 4.0)));
    reflect Of(vec3(n).reflect(Vec3::Y));
    refract Of(axis(n).refract(Vec3::Z, 0.75));
    angle_between vec3(n).angle_between(other3(n));
    any_orthonormal Of(axis(n).any_orthonormal_pair());
    rounding Of((vec3(n).floor(), vec3(n).ceil()));
    rounding_more Of((vec3(n).round(), vec3(n).trunc()));
    fract Of((vec3(n).fract(), vec3(n).fract_gl()));
    minimum Of((vec3(n).min(other3(n)), vec3(n).max(other3(n))));
    min_element (vec3(n).min_element(), vec3(n).max_position(), vec4(n).element_sum());
    abs Of((vec3(n).abs(), vec3(n).signum()));
    compare Of((vec3(n).cmplt(other3(n)), vec3(n).cmpge(Vec3::ZERO)));
    select Of(Vec3::select(vec3(n).cmpgt(other3(n)), vec3(n), other3(n)));
    div_euclid Of((vec3(n).div_euclid(Vec3::splat(0.75)), vec3(n).rem_euclid(Vec3::splat(0.75))));
    exponential Of((vec3(n).exp(), vec3(n).abs().powf(1.5)));
    mul_add Of(vec3(n).mul_add(other3(n), Vec3::ONE));
    swizzles Of((vec4(n).wzyx(), vec3(n).zxy()));
    swizzles_short Of((vec4(n).xz(), vec3(n).yyx()));
    vec3a Of((vec3a(n) * 2.0 - Vec3A::ONE, vec3a(n).cross(Vec3A::Y)));
    vec4 Of((vec4(n) * other4(n), vec4(n) / (other4(n).abs() + Vec4::ONE)));
    vec4_more Of((vec4(n).normalize_or_zero(), (-vec4(n)).clamp(Vec4::NEG_ONE, Vec4::ONE)));
    integers Of((vec3(n).as_ivec3().wrapping_mul(IVec3::new(3, 5, 7)), vec3(n).abs().as_uvec3()));
    integers_more Of((vec2(n).as_ivec2().wrapping_add(IVec2::splat(i32::MAX)), vec4(n).as_ivec4().signum()));
    checked (vec3(n).as_ivec3().checked_mul(IVec3::splat(1 << 20)).map(Of), vec3(n).clamp(Vec3::splat(-99.0), Vec3::splat(99.0)).as_ivec3().distance_squared(IVec3::ONE));
    finite (vec3(n).is_finite(), vec3(n).is_nan(), axis(n).is_normalized());
    iterated [vec2(n), Vec2::ONE, vec2(n).yx_of()].iter().copied().sum::<Vec2>().to_array();
    indexed [vec3(n)[0], vec3(n)[1], vec4(n)[3]];
}

/// A method that is not `glam`'s, to see that traits on its types work.
trait Swapped {
    fn yx_of(self) -> Self;
}

impl Swapped for Vec2 {
    fn yx_of(self) -> Self {
        let (x, y) = self.into();
        Self::from((y, x))
    }
}

table! {
    /// Functions of matrices, quaternions and transforms.
    MATRICES, matrices(n: &Numbers) =
    mat2 Of((mat2(n) * vec2(n), mat2(n).transpose()));
    mat2_inverse (mat2(n).determinant(), Of(mat2(n).try_inverse().unwrap_or(Mat2::IDENTITY)));
    mat2_angle Of(Mat2::from_scale_angle(vec2(n), n[3]));
    mat3 Of((mat3(n) * vec3(n), mat3(n) * mat3(n).transpose()));
    mat3_inverse (mat3(n).determinant(), Of(mat3(n).try_inverse().unwrap_or(Mat3::IDENTITY)));
    mat3_rotations Of((Mat3::from_rotation_x(n[0]), Mat3::from_axis_angle(axis(n), n[4])));
    mat3_of_quat Of(Mat3::from_quat(quat(n)));
    mat3_transform Of((Mat3::from_translation(vec2(n)).transform_point2(Vec2::ONE), mat3(n).row(1)));
    mat3a Of(Mat3A::from(mat3(n)) * Mat3A::from_diagonal(vec3(n)));
    mat4 Of(mat4(n) * mat4(n).transpose());
    mat4_vector Of(mat4(n) * vec4(n));
    mat4_inverse (mat4(n).determinant(), Of(mat4(n).try_inverse().unwrap_or(Mat4::IDENTITY)));
    mat4_transform Of((Mat4::from_scale_rotation_translation(Vec3::splat(2.0), quat(n), vec3(n)).transform_point3(other3(n)), mat4(n).transform_vector3(vec3(n))));
    mat4_of_euler Of(Mat4::from_euler(EulerRot::YXZ, n[0], n[1], n[2]));
    quat_mul Of(quat(n) * Quat::from_rotation_z(n[0]));
    quat_rotate Of((quat(n) * vec3(n), quat(n).inverse() * other3(n)));
    quat_axis_angle Of((Quat::from_axis_angle(axis(n), n[5]), quat(n).conjugate()));
    quat_to_axis_angle (Of(quat(n).to_axis_angle().0), quat(n).to_axis_angle().1);
    quat_of_arc Of(Quat::from_rotation_arc(axis(n), Vec3::Y));
    quat_of_mat3 Of(Quat::from_mat3(&Mat3::from_quat(quat(n))));
    quat_euler quat(n).to_euler(EulerRot::XYZ);
    quat_of_euler Of(Quat::from_euler(EulerRot::ZYX, n[0], n[1], n[2]));
    quat_slerp Of(quat(n).slerp(Quat::from_rotation_y(n[1]), 0.3));
    quat_lerp Of(quat(n).lerp(Quat::from_rotation_x(n[1]), 0.7));
    quat_angle (quat(n).angle_between(Quat::from_rotation_x(n[2])), quat(n).dot(Quat::IDENTITY));
    affine2 Of((Affine2::from_angle_translation(n[0], vec2(n)).transform_point2(Vec2::new(n[3], n[4])), Affine2::from_scale(vec2(n)) * Affine2::from_angle(n[2])));
    affine3 Of((Affine3A::from_rotation_translation(quat(n), vec3(n)).transform_point3(other3(n)), Affine3A::from_quat(quat(n)).inverse()));
    affine3_decomposed Of(Affine3A::from_scale_rotation_translation(Vec3::new(1.0, 2.0, 3.0), quat(n), vec3(n)).to_scale_rotation_translation().1);
}

/// Writes what a function of vectors makes of each element.
#[kernel(requires(numbers.len() == out.len()))]
pub fn run_vectors(numbers: ReadBuffer<Numbers>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = vectors(function, &numbers.as_slice()[index.get()]);
    }
}

/// Writes what a function of matrices makes of each element.
#[kernel(requires(numbers.len() == out.len()))]
pub fn run_matrices(numbers: ReadBuffer<Numbers>, function: u32, mut out: DisjointBuffer<u64>) {
    let index = thread_index();
    if let Some(out) = out.get_mut(&index) {
        *out = matrices(function, &numbers.as_slice()[index.get()]);
    }
}
