/// Make a drawing of N circles.
#[cfg(feature = "samples")]
#[fcp_action]
pub fn sample(circles: Int<1, 99>) -> Result<Drawing> {
    Drawing::sample(circles)
}
