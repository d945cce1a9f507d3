// Waveform analysis: statistics, spectrum, and bearing fault frequencies in the envelope spectrum.
import type { WaveformAnswer } from '../../contract.ts'
import {
  type Bearing,
  envelopeOf,
  type FaultName,
  faultFrequencies,
  foundAt,
  linesOf,
  momentsOf,
  type Spectrum,
  spectrumOf,
} from './spectrum.ts'
import { readWaveform } from './waveform.ts'

export type WaveformAsk = { rate?: number | undefined; rpm?: number | undefined; bearing?: Bearing | undefined }

/** Columns of a drawn spectrum. Each shows the maximum of its lines. */
const mostColumns = 1024
/** The envelope is drawn up to here, Hz: fault frequencies and their multiples lie below. */
const envelopeHz = 1000

const drawn = ({ step, values }: Spectrum, toHz: number) => {
  const end = Math.max(1, Math.min(values.length, Math.ceil(toHz / step)))
  const each = Math.ceil(end / mostColumns)
  const columns = Array.from({ length: Math.ceil(end / each) }, (_, i) =>
    Math.max(...values.subarray(i * each, Math.min(end, (i + 1) * each))),
  )
  return { Step: step * each, Values: columns }
}

/** @throws Unreadable */
export const analysedWaveform = (file: Uint8Array, { rate: given, rpm, bearing }: WaveformAsk): WaveformAnswer => {
  const { rate, samples } = readWaveform(file, given)
  const { rms, peak, crest, kurtosis } = momentsOf(samples)
  // Bearing resonances lie far above the fault frequencies.
  const envelope = spectrumOf(envelopeOf(samples, rate, Math.min(1000, rate / 8)), rate)
  const faults = bearing && rpm ? Object.entries(faultFrequencies(bearing, rpm)) : []
  return {
    ...{ SampleRate: rate, Samples: samples.length, Rms: rms, Peak: peak, Crest: crest, Kurtosis: kurtosis },
    ...{ Spectrum: drawn(spectrumOf(samples, rate), rate / 2), Envelope: drawn(envelope, Math.min(envelopeHz, rate / 2)) },
    Faults: faults.map(([name, frequency]) => {
      const lines = linesOf(envelope, frequency)
      return {
        ...{ Name: name as FaultName, Frequency: frequency, IsFound: Number(lines[0]!.ratio > foundAt) },
        Lines: lines.map((line) => ({ Frequency: line.frequency, Ratio: line.ratio })),
      }
    }),
  }
}
