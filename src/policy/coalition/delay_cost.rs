//! Cost of accepting foreign work: the expected delay of the next local job (Rzadca and Trystram
//! 2009, section 3.3).
//!
//! A cluster with load `L` accepts foreign work `Phi`, which goes behind its load. Its next local
//! job arrives after `r` and is delayed by `g(r, L, Phi)`: by all of `Phi` if `r <= L`, by
//! `L + Phi - r` if it arrives while the foreign work is being done, and not at all later.
//!
//! **For any gaps.** The delay is the length of the part of the interval from `L` to `L + Phi` that
//! is not before `r`, i.e. the integral over `s` from `L` to `L + Phi` of the indicator of
//! `r <= s`. Its expectation (integrals may be exchanged, as nothing is negative) is
//!
//! ```text
//! EG(L, Phi) = integral from L to L + Phi of P(R <= s) ds
//! ```
//!
//! which needs no density, so gaps may be constant. The paper's results for exponential gaps
//! follow. `EG` grows with `Phi` (the slope is `P(R <= L + Phi)`) and is convex, so
//! `EG(L, 2 Phi) >= 2 EG(L, Phi)`: no price for a unit of work is right for all amounts. It grows
//! with `L`: accepting costs more with a longer queue. The surplus of the sender's gain over this
//! cost,
//!
//! ```text
//! Phi - EG(L, Phi) = integral from L to L + Phi of P(R > s) ds
//! ```
//!
//! falls with `L`, grows with `Phi`, tends to the mean gap for `L = 0` and large `Phi`, and is
//! positive as long as the next job may come after `L`. The paper says "for all positive values",
//! which holds for its exponential gaps; with constant gaps it is 0 from a load of one gap on.

use stats::law::Law;

/// `g(r, L, Phi)`: the delay of the next local job, which arrives after `gap`, if `foreign` work
/// was accepted behind a load.
pub fn delay(gap: f64, load: f64, foreign: f64) -> f64 {
    (load + foreign - gap).clamp(0.0, foreign)
}

/// `EG(L, Phi)`: the expected delay of the next local job, in units of time. Closed forms.
///
/// ```
/// use gridpact_policy::coalition::delay_cost::expected_delay;
/// use stats::law::Law;
///
/// let gaps = Law::Exponential { mean: 5.0 };
/// assert!((expected_delay(&gaps, 0.0, 5.0) - 5.0 / std::f64::consts::E).abs() < 1e-14);
/// ```
pub fn expected_delay(gaps: &Law, load: f64, foreign: f64) -> f64 {
    match gaps {
        // The paper's formula, which loses no digits for large loads.
        Law::Exponential { mean } => foreign - exponential_surplus(*mean, load, foreign),
        Law::Hyperexponential { .. } => foreign - surplus(gaps, load, foreign),
        _ => (gaps.integral(load + foreign) - gaps.integral(load)).clamp(0.0, foreign),
    }
}

/// `Phi - EG(L, Phi)`: the joint gain of sender and receiver if the sender's jobs finish `foreign`
/// earlier.
pub fn surplus(gaps: &Law, load: f64, foreign: f64) -> f64 {
    match gaps {
        Law::Exponential { mean } => exponential_surplus(*mean, load, foreign),
        Law::Hyperexponential { branches } => branches
            .iter()
            .map(|(part, mean)| part * exponential_surplus(*mean, load, foreign))
            .sum(),
        _ => foreign - expected_delay(gaps, load, foreign),
    }
}

fn exponential_surplus(mean: f64, load: f64, foreign: f64) -> f64 {
    -mean * libm::exp(-load / mean) * libm::expm1(-foreign / mean)
}

/// `EG(L, Phi)` for gaps given only by their distribution function: by quadrature, to about
/// `foreign` times 1e-10.
///
/// Adaptive Simpson's rule. Since the function is monotonic, an interval with a small rise is known
/// without looking inside, and a jump is halved until it is narrow enough.
pub fn expected_delay_by(up_to: impl Fn(f64) -> f64, load: f64, foreign: f64) -> f64 {
    let mut sum = 0.0;
    let mut open = vec![Piece::new(&up_to, load, load + foreign, 0)];
    while let Some(piece) = open.pop() {
        let [left, right] = piece.halves(&up_to);
        let (whole, halves) = (piece.simpson(), left.simpson() + right.simpson());
        let width = piece.width();
        let is_flat = piece.rise() * width <= 1e-12 * foreign;
        let agrees = piece.depth >= LEAST_HALVINGS && (whole - halves).abs() <= 1e-12 * width;
        if is_flat || agrees || piece.depth >= MOST_HALVINGS {
            sum += halves + (halves - whole) / 15.0;
        } else {
            open.extend([right, left]);
        }
    }
    sum
}

/// Two coarse estimates may agree by chance.
const LEAST_HALVINGS: u32 = 5;
const MOST_HALVINGS: u32 = 50;

/// An interval with the function's values at its ends and at its midpoint.
struct Piece {
    ends: [f64; 2],
    values: [f64; 3],
    depth: u32,
}

impl Piece {
    fn new(up_to: &impl Fn(f64) -> f64, low: f64, high: f64, depth: u32) -> Piece {
        let values = [low, f64::midpoint(low, high), high].map(up_to);
        Piece { ends: [low, high], values, depth }
    }

    fn width(&self) -> f64 {
        self.ends[1] - self.ends[0]
    }

    fn rise(&self) -> f64 {
        self.values[2] - self.values[0]
    }

    fn simpson(&self) -> f64 {
        (self.values[0] + 4.0 * self.values[1] + self.values[2]) * self.width() / 6.0
    }

    fn halves(&self, up_to: &impl Fn(f64) -> f64) -> [Piece; 2] {
        let [low, high] = self.ends;
        let middle = f64::midpoint(low, high);
        [(low, middle), (middle, high)]
            .map(|(low, high)| Piece::new(up_to, low, high, self.depth + 1))
    }
}
