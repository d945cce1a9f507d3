import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { randomOf } from '../../../analytics/server/learn/random.ts'
import type { Role } from '../../contract.ts'
import { healthOf, type Normal, normalOf, usualLimits } from './health.ts'
import { envelopeOf, faultFrequencies, foundAt, linesOf, momentsOf, spectrumOf } from './spectrum.ts'
import { readWaveform } from './waveform.ts'

const ball6205 = { Balls: 9, BallDiameter: 7.938, PitchDiameter: 38.5, ContactAngle: 0 }

it('bearing 6205 at 1797 rpm: outer race 107.0 Hz', () => {
  const { bpfo, bpfi, bsf, ftf } = faultFrequencies(ball6205, 1797)
  expect(bpfo).toBeCloseTo(107.0, 1)
  expect(bpfi).toBeCloseTo(162.6, 1)
  expect(bsf).toBeCloseTo(69.5, 1)
  expect(ftf).toBeCloseTo(11.9, 1)
})

/** Blows of an outer race that ring at 3 kHz, in noise. */
const damaged = (rate: number, count: number, blows: number) => {
  const random = randomOf(5)
  return Float64Array.from({ length: count }, (_, i) => {
    const since = (((i / rate) * blows) % 1) / blows
    return 2 * Math.exp(-since * 900) * Math.sin(2 * Math.PI * 3000 * since) + 0.3 * (random() - 0.5)
  })
}

it('a damaged outer race shows at 107.0, 214 and 321 Hz of the envelope, and at no other fault frequency', () => {
  const rate = 12_800
  const { bpfo, bpfi, ftf } = faultFrequencies(ball6205, 1797)
  const samples = damaged(rate, 16_384, bpfo)
  expect(momentsOf(samples).kurtosis).toBeGreaterThan(8)
  const spectrum = spectrumOf(envelopeOf(samples, rate, 1000), rate)
  const lines = linesOf(spectrum, bpfo)
  for (const [i, { frequency, ratio }] of lines.entries()) {
    expect(Math.abs(frequency - 107.0 * (i + 1))).toBeLessThan(1.2)
    expect(ratio).toBeGreaterThan(foundAt)
  }
  expect(linesOf(spectrum, bpfi)[0]!.ratio).toBeLessThan(foundAt)
  expect(linesOf(spectrum, ftf)[0]!.ratio).toBeLessThan(foundAt)
})

it('a sine of 2 at 50 Hz has an amplitude of 2 in its spectrum, an RMS of 1.414 and a crest factor of 1.414', () => {
  const samples = Float64Array.from({ length: 8192 }, (_, i) => 2 * Math.sin((2 * Math.PI * 50 * i) / 1024))
  const { step, values } = spectrumOf(samples, 1024)
  expect(values[Math.round(50 / step)]).toBeCloseTo(2, 3)
  expect(momentsOf(samples).rms).toBeCloseTo(Math.SQRT2, 3)
  expect(momentsOf(samples).crest).toBeCloseTo(Math.SQRT2, 3)
})

const wavOf = (samples: Float64Array, rate: number, claimed = samples.length) => {
  const file = Buffer.alloc(44 + samples.length * 2)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(36 + samples.length * 2, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    file.writeUInt16LE(value, at)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate * 2, 28)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(claimed * 2, 40)
  for (const [i, value] of samples.entries()) file.writeInt16LE(Math.round(value * 32_767), 44 + i * 2)
  return file
}
const sine = Float64Array.from({ length: 2048 }, (_, i) => 0.5 * Math.sin(i / 7))

it('the same waveform is read from wav, csv with and without times, and json', () => {
  const files: [Buffer, number | undefined][] = [
    [wavOf(sine, 2000), undefined],
    [Buffer.from(`\uFEFFvalue\r\n${sine.join('\r\n')}`), 2000],
    [Buffer.from(`s,g\n${Array.from(sine, (value, i) => `${i / 2000},${value}`).join('\n')}`), undefined],
    [Buffer.from(JSON.stringify({ SampleRate: 2000, Values: [...sine] })), undefined],
    [Buffer.from(JSON.stringify([...sine])), 2000],
  ]
  for (const [file, rate] of files) {
    const waveform = readWaveform(file, rate)
    expect(waveform.rate).toBeCloseTo(2000, 6)
    expect(waveform.samples).toHaveLength(2048)
    for (const i of [0, 7, 2047]) expect(waveform.samples[i]).toBeCloseTo(sine[i]!, 3)
  }
})

it.each([
  ['a header that claims 2^31 samples', wavOf(sine, 2000, 2 ** 31 - 1), undefined, 'wavShort'],
  ['a wav that ends in its header', wavOf(sine, 2000).subarray(0, 30), undefined, 'wavFormat'],
  ['text', Buffer.from('a\nb\nc'), 2000, 'notNumbers'],
  ['null among numbers', Buffer.from(JSON.stringify([...sine, null])), 2000, 'notNumbers'],
  ['an object without values', Buffer.from('{"__proto__": [1]}'), 2000, 'unreadable'],
  ['broken json', Buffer.from('[1,'), 2000, 'unreadable'],
  ['a few samples', Buffer.from('1\n2\n3'), 2000, 'fewSamples'],
  ['one value throughout', Buffer.from(`${'1\n'.repeat(2000)}`), 2000, 'flat'],
  ['no rate', Buffer.from(sine.join('\n')), undefined, 'noRate'],
  ['a rate of two gigahertz', wavOf(sine, 2_000_000_000), undefined, 'rateRange'],
  ['nothing', Buffer.alloc(0), 2000, 'fewSamples'],
])('refuses %s', (_, file, rate, rule) => {
  expect(() => readWaveform(file, rate)).toThrow(rule)
})

const motor: Role[] = ['currentA', 'currentB', 'currentC', 'temperature']
const limits = usualLimits('rigid2', 'F')
const score = (row: number[], normals: (Normal | undefined)[] = []) => healthOf(motor, normals, limits, row)

it('a motor in order scores 100; unbalanced phases and a hot winding are named with what was measured and the limit', () => {
  expect(score([10, 10.1, 9.9, 90])).toEqual({ score: 100, fired: [] })
  expect(score([10, 10.6, 9.7, 90])).toMatchObject({ score: 80, fired: [{ rule: 'unbalance', limit: 2, isAlarm: false }] })
  expect(score([10, 12, 9, 160])).toMatchObject({
    score: 0,
    fired: [
      { rule: 'unbalance', limit: 5 },
      { rule: 'temperature', limit: 155, measured: 160 },
    ],
  })
})
it('phases of a motor that stands are not compared, and nothing is said where nothing was measured', () => {
  expect(score([0.01, 0, 0.02, 30])!.fired).toEqual([])
  expect(score([Number.NaN, Number.NaN, Number.NaN, Number.NaN])).toBeUndefined()
  expect(score([10, Number.NaN, 10, 90])).toEqual({ score: 100, fired: [] })
})
it('a value far from what is normal fires where no limit does', () => {
  const normals = [undefined, undefined, undefined, normalOf(Float64Array.from({ length: 100 }, (_, i) => 60 + (i % 5)))]
  expect(score([10, 10, 10, 69], normals)).toMatchObject({ score: 80, fired: [{ rule: 'deviation', feature: 3, limit: 4 }] })
})

const folder = fileURLToPath(new URL('../../../../../../shared/data/skab/', import.meta.url))
const recording = (name: string) => {
  const [title, ...lines] = readFileSync(`${folder}${name}.csv`, 'utf8').trim().split(/\r?\n/)
  const names = title!.split(';')
  const rows = lines.map((line) => line.split(';'))
  return { rows: rows.map((row) => row.slice(1, 9).map(Number)), labels: rows.map((row) => Number(row[names.indexOf('anomaly')] ?? 0)) }
}
const printed = (name: string, learntOn: string, learnt: number[][]) => {
  const normals = learnt[0]!.map((_, k) => normalOf(Float64Array.from(learnt, (row) => row[k]!)))
  const bounds = learnt[0]!.map((_, k) => [Math.min(...learnt.map((row) => row[k]!)), Math.max(...learnt.map((row) => row[k]!))] as const)
  const of = learnt[0]!.map((): Role => 'other')
  const detectors = {
    score: (row: number[]) => healthOf(of, normals, limits, row)!.score < 100,
    thresholds: (row: number[]) => row.some((value, k) => value < bounds[k]![0] || value > bounds[k]![1]),
  }
  const { rows, labels } = recording(name)
  const begin = labels.indexOf(1)
  expect(begin).toBeGreaterThan(300)
  for (const [detector, isAbnormal] of Object.entries(detectors)) {
    const found = rows.findIndex((row, i) => labels[i] === 1 && isAbnormal(row))
    const normal = rows.filter((_, i) => labels[i] === 0)
    const delay = found < 0 ? 'not found' : `found after ${found - begin} s`
    console.info(
      `${name}, learnt on ${learntOn}, ${detector}: ${delay}, ${normal.filter(isAbnormal).length} of ${normal.length} normal seconds false`,
    )
  }
}
it.skipIf(!existsSync(folder))('real pump (../shared/data/skab): delay and false alarms of the score beside plain thresholds', () => {
  for (const name of ['valve1-0', 'valve1-1', 'other-1']) {
    printed(name, 'the normal recording', recording('anomaly-free-anomaly-free').rows)
    // The normal recording was made at another operating point.
    printed(name, 'its own first 300 s', recording(name).rows.slice(0, 300))
  }
})
