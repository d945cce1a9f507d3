// Reads a waveform out of an uploaded file: wav (PCM of 16, 24 or 32 bits, or floats), csv or json.

export type Waveform = { rate: number; samples: Float64Array }
/** A refusal of the file: the words of a rule. */
export class Unreadable extends Error {}

/** Two minutes at 32 kHz. */
export const mostSamples = 4_000_000
export const fewestSamples = 1024
const [slowestRate, fastestRate] = [10, 1_000_000]
/** Beyond any sensor: fourth powers of these still are numbers. */
const largestSample = 1e15

const riff = (file: DataView, at: number) => String.fromCharCode(...[0, 1, 2, 3].map((i) => file.getUint8(at + i)))
const [pcm, float, extensible] = [1, 3, 0xfffe]

/** Reads one sample as a share of the full scale. */
const readerOf = (format: number, bits: number): ((file: DataView, at: number) => number) => {
  if (format === float && bits === 32) return (file, at) => file.getFloat32(at, true)
  if (format === float && bits === 64) return (file, at) => file.getFloat64(at, true)
  if (format === pcm && bits === 16) return (file, at) => file.getInt16(at, true) / 0x8000
  if (format === pcm && bits === 24) return (file, at) => (file.getUint16(at, true) + file.getInt8(at + 2) * 0x10000) / 0x800000
  if (format === pcm && bits === 32) return (file, at) => file.getInt32(at, true) / 0x80000000
  throw new Unreadable('wavFormat')
}

/** The first channel. What the header claims is compared with what is there. */
const readWav = (file: DataView): Waveform => {
  let of: { rate: number; bytes: number; read: ReturnType<typeof readerOf>; width: number } | undefined
  for (let at = 12; at + 8 <= file.byteLength; ) {
    const [name, length] = [riff(file, at), file.getUint32(at + 4, true)]
    const start = at + 8
    if (name === 'fmt ' && start + 16 <= file.byteLength) {
      const tag = file.getUint16(start, true)
      const format = tag === extensible && start + 26 <= file.byteLength ? file.getUint16(start + 24, true) : tag
      const bits = file.getUint16(start + 14, true)
      const read = readerOf(format, bits)
      of = { read, width: bits / 8, rate: file.getUint32(start + 4, true), bytes: file.getUint16(start + 12, true) }
    } else if (name === 'data') {
      if (!of || of.bytes < of.width) throw new Unreadable('wavFormat')
      if (start + length > file.byteLength) throw new Unreadable('wavShort')
      const count = Math.floor(length / of.bytes)
      if (count > mostSamples) throw new Unreadable('manySamples')
      const { read, bytes, rate } = of
      return { rate, samples: Float64Array.from({ length: count }, (_, i) => read(file, start + i * bytes)) }
    }
    at = start + length + (length % 2)
  }
  throw new Unreadable('wavFormat')
}

/** One value in each line, or a time in seconds and a value; a first line that is no number is a title. */
const readCsv = (text: string, rate: number | undefined): Waveform => {
  const lines = text.trim().split(/\r?\n/, mostSamples + 2)
  if (lines.length > mostSamples + 1) throw new Unreadable('manySamples')
  // Two columns are read, however many a line has.
  const rows = lines.map((line) => line.split(/[,;\t]/, 2).map(Number))
  if (rows[0]!.some(Number.isNaN)) rows.shift()
  const timed = (rows[0]?.length ?? 0) > 1
  const samples = Float64Array.from(rows, (row) => row[timed ? 1 : 0]!)
  const seconds = timed ? rows.at(-1)![0]! - rows[0]![0]! : 0
  const own = timed && seconds > 0 ? (rows.length - 1) / seconds : undefined
  if (!(own ?? rate)) throw new Unreadable('noRate')
  return { rate: (own ?? rate)!, samples }
}

const readJson = (text: string, rate: number | undefined): Waveform => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Unreadable('unreadable')
  }
  const { Values, SampleRate } = (Array.isArray(parsed) ? { Values: parsed } : parsed) as { Values?: unknown; SampleRate?: unknown }
  if (!Array.isArray(Values)) throw new Unreadable('unreadable')
  if (Values.length > mostSamples) throw new Unreadable('manySamples')
  const own = typeof SampleRate === 'number' ? SampleRate : rate
  if (!own) throw new Unreadable('noRate')
  return { rate: own, samples: Float64Array.from(Values, (value) => (typeof value === 'number' ? value : Number.NaN)) }
}

/** `rate`: samples a second for files that do not contain it. @throws Unreadable */
export const readWaveform = (file: Uint8Array, rate?: number): Waveform => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const isWav = file.byteLength > 12 && riff(view, 0) === 'RIFF' && riff(view, 8) === 'WAVE'
  const textOf = () => new TextDecoder('utf-8').decode(file).replace(/^\uFEFF/, '')
  const isJson = () => [0x5b, 0x7b].includes(file.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) ?? 0)
  const waveform = isWav ? readWav(view) : isJson() ? readJson(textOf(), rate) : readCsv(textOf(), rate)
  const { samples } = waveform
  if (samples.some((value) => !(Math.abs(value) <= largestSample))) throw new Unreadable('notNumbers')
  if (samples.length < fewestSamples) throw new Unreadable('fewSamples')
  if (samples.every((value) => value === samples[0])) throw new Unreadable('flat')
  if (!(waveform.rate >= slowestRate && waveform.rate <= fastestRate)) throw new Unreadable('rateRange')
  return waveform
}
