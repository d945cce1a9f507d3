// Spectra of vibration: amplitude by frequency, and that of the envelope, in which each pass over a damaged spot of a bearing shows.

/** Radix-2 fast Fourier transform in place (Cooley and Tukey). The length is a power of two. */
export const transform = (re: Float64Array, im: Float64Array) => {
  const n = re.length
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) {
      ;[re[i], re[j]] = [re[j]!, re[i]!]
      ;[im[i], im[j]] = [im[j]!, im[i]!]
    }
  }
  for (let size = 2; size <= n; size <<= 1) {
    const half = size / 2
    for (let k = 0; k < half; k++) {
      const [cos, sin] = [Math.cos((2 * Math.PI * k) / size), -Math.sin((2 * Math.PI * k) / size)]
      for (let i = k; i < n; i += size) {
        const at = i + half
        const [r, q] = [re[at]! * cos - im[at]! * sin, re[at]! * sin + im[at]! * cos]
        re[at] = re[i]! - r
        im[at] = im[i]! - q
        re[i]! += r
        im[i]! += q
      }
    }
  }
}

/** Amplitudes by multiples of `step` Hz. */
export type Spectrum = { step: number; values: Float64Array }

/** Single-sided amplitude spectrum, of as many of the first samples as a power of two has, under a Hann window. */
export const spectrumOf = (samples: Float64Array, rate: number): Spectrum => {
  const n = 2 ** Math.floor(Math.log2(samples.length))
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length
  const re = Float64Array.from({ length: n }, (_, i) => (samples[i]! - mean) * (1 - Math.cos((2 * Math.PI * i) / n)))
  const im = new Float64Array(n)
  transform(re, im)
  return { step: rate / n, values: Float64Array.from({ length: n / 2 }, (_, k) => (2 * Math.hypot(re[k]!, im[k]!)) / n) }
}

/** Magnitude of the analytic signal (Hilbert transform), above `fromHz`: what lies below is the rotation itself. */
export const envelopeOf = (samples: Float64Array, rate: number, fromHz: number): Float64Array => {
  const n = 2 ** Math.floor(Math.log2(samples.length))
  const re = Float64Array.from(samples.subarray(0, n))
  const im = new Float64Array(n)
  transform(re, im)
  const from = Math.ceil((fromHz * n) / rate)
  for (let k = 0; k < n; k++) {
    const factor = k >= from && k < n / 2 ? 2 : 0
    re[k]! *= factor
    // Conjugated, so that the same transform leads back.
    im[k]! *= -factor
  }
  transform(re, im)
  return Float64Array.from(re, (value, i) => Math.hypot(value, im[i]!) / n)
}

export type Bearing = { Balls: number; BallDiameter: number; PitchDiameter: number; ContactAngle: number }

/** Fault frequencies of a bearing in Hz for a shaft that turns at `rpm`: outer and inner race, ball and cage. */
export const faultFrequencies = ({ Balls, BallDiameter, PitchDiameter, ContactAngle }: Bearing, rpm: number) => {
  const turns = rpm / 60
  const ratio = (BallDiameter / PitchDiameter) * Math.cos((ContactAngle * Math.PI) / 180)
  return {
    bpfo: (Balls / 2) * turns * (1 - ratio),
    bpfi: (Balls / 2) * turns * (1 + ratio),
    bsf: (PitchDiameter / (2 * BallDiameter)) * turns * (1 - ratio ** 2),
    ftf: (turns / 2) * (1 - ratio),
  }
}
export type FaultName = keyof ReturnType<typeof faultFrequencies>

const medianOf = (values: Float64Array) => values.toSorted()[Math.floor(values.length / 2)]!

/** Multiples of a fault frequency that are looked at. */
const multiples = 3
/** Tolerance of a frequency: balls slip by up to 2 %. */
const slip = 0.02
/** A line counts as found if it exceeds this multiple of the surrounding median. */
export const foundAt = 8

/** Strength of a fault frequency in the envelope spectrum: the lines at its harmonics as multiples of the median. */
export const linesOf = ({ step, values }: Spectrum, frequency: number) => {
  const floor = medianOf(values) || Number.MIN_VALUE
  return Array.from({ length: multiples }, (_, i) => {
    const at = frequency * (i + 1)
    const [from, end] = [Math.floor((at * (1 - slip)) / step), Math.ceil((at * (1 + slip)) / step)]
    let best = Math.max(1, from)
    for (let k = best; k <= Math.min(end, values.length - 1); k++) if (values[k]! > values[best]!) best = k
    return { frequency: best * step, ratio: (values[best] ?? 0) / floor }
  })
}

/** RMS, peak, crest factor and kurtosis (3 for noise) without the mean. */
export const momentsOf = (samples: Float64Array) => {
  const n = samples.length
  const mean = samples.reduce((sum, value) => sum + value, 0) / n
  let [squares, fourth, peak] = [0, 0, 0]
  for (const value of samples) {
    const left = value - mean
    squares += left ** 2
    fourth += left ** 4
    peak = Math.max(peak, Math.abs(left))
  }
  const variance = squares / n
  const rms = Math.sqrt(variance)
  return { rms, peak, crest: rms ? peak / rms : 0, kurtosis: variance ? fourth / n / variance ** 2 : 0 }
}
