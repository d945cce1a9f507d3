// Words in which the point table of the simulated plant is written, so that a point is one line.
import type { pointFields } from './point-fields.ts'
import type { Draft, Resource } from './resource.ts'

export type DemoPoint = Required<Omit<Draft<Resource<typeof pointFields>>, 'DeviceId' | 'StandardParaId'>>
type Rest = Partial<DemoPoint>
/** A point without its place; addresses follow from the order. */
export type Sketch = Rest & { ParaName: string; ParaDataType: DemoPoint['ParaDataType']; RegisterType: DemoPoint['RegisterType'] }
type Type = DemoPoint['ParaDataType']

const plain: DemoPoint = {
  ParaName: '',
  ReadWriteType: 0,
  RegisterType: 3,
  ParaDataType: 7,
  Address: '0',
  SlaveNumber: 1,
  SampleLow: null,
  SampleHigh: null,
  ProjectLow: null,
  ProjectHigh: null,
  AxisMin: null,
  AxisMax: null,
  ParaUnitName: '',
  IsChartShow: 1,
  IsReportShow: 1,
  DecimalDigits: 2,
  AlarmLow: null,
  AlarmHigh: null,
  UploadMode: 1,
  CollectPeriod: 1000,
  IntervalTime: 0,
  Timeout: 1000,
  UploadPeriod: 60,
  CollectType: 0,
  IsCache: 0,
  IsStore: 0,
  IsReport: 0,
  ZeroText: '',
  OneText: '',
}

/** Measured: input register, uploaded with every scan. */
export const m = (ParaName: string, ParaDataType: Type, ParaUnitName: string, low: number, high: number, rest: Rest = {}): Sketch => ({
  ParaName,
  ParaDataType,
  RegisterType: 3,
  ParaUnitName,
  AxisMin: low,
  AxisMax: high,
  ProjectLow: low,
  ProjectHigh: high,
  ...rest,
})
/** Transmitter: 0 to 27648 in a 16 bit register, as PLC analogue inputs give it. */
export const a = (name: string, type: Type, unit: string, low: number, high: number, rest: Rest = {}) =>
  m(name, type, unit, low, high, { SampleLow: 0, SampleHigh: 27648, ...rest })
/** Fixed point: whole numbers that are `steps` per unit. */
export const f = (name: string, type: Type, unit: string, low: number, high: number, steps: number, rest: Rest = {}) =>
  m(name, type, unit, low, high, {
    SampleLow: low * steps,
    SampleHigh: high * steps,
    DecimalDigits: Math.round(Math.log10(steps)),
    ...rest,
  })
/** Set point: holding register that can be written. */
export const set = (sketch: Sketch): Sketch => ({ ...sketch, RegisterType: 4, ReadWriteType: 1, UploadMode: 3 })
/** Counter: only ever grows. */
export const count = (name: string, type: Type, unit: string, rest: Rest = {}): Sketch => ({
  ParaName: name,
  ParaDataType: type,
  RegisterType: 3,
  ParaUnitName: unit,
  DecimalDigits: 1,
  UploadMode: 0,
  UploadPeriod: 10,
  ...rest,
})
const flag = { ParaDataType: 0, DecimalDigits: 0, AxisMin: 0, AxisMax: 1, UploadMode: 3, CollectPeriod: 500 } as const
/** What a state is called at 0 and at 1. */
export const states = (ZeroText: string, OneText: string) => ({ ZeroText, OneText })
/** State: discrete input. */
export const on = (ParaName: string, rest: Rest = {}): Sketch => ({ ParaName, RegisterType: 1, ...flag, ...rest })
/** Command: coil that can be written. */
export const coil = (ParaName: string, rest: Rest = {}): Sketch => ({ ParaName, RegisterType: 0, ReadWriteType: 1, ...flag, ...rest })
/** State: one bit of a status word in an input register. */
export const bit = (ParaName: string, rest: Rest = {}): Sketch => ({ ParaName, RegisterType: 3, ...flag, ...rest })

/** Where status words begin, away from the values. */
const bitWord = 200

export const place = (SlaveNumber: number, sketches: readonly Sketch[]): DemoPoint[] => {
  const next: Record<string, number> = { 0: 0, 1: 0, 3: 0, 4: 0, bits: 0 }
  return sketches.map((s) => {
    const isBit = s.ParaDataType === 0 && s.RegisterType > 1
    const kind = isBit ? 'bits' : s.RegisterType
    const at = next[kind]!
    const isWide = (s.ParaDataType >= 3 && s.ParaDataType <= 10) || s.ParaDataType >= 33
    next[kind] = at + (isWide ? 2 : 1)
    const Timeout = Math.min(plain.Timeout, s.CollectPeriod ?? plain.CollectPeriod)
    return { ...plain, Timeout, SlaveNumber, ...s, Address: isBit ? `${bitWord + (at >> 4)}.${at & 15}` : `${at}` }
  })
}

export const chart = { IsChartShow: 2 } as const
export const each = (numbers: readonly number[], of: (n: number) => Sketch[]) => numbers.flatMap(of)

/** A sub-meter: what a circuit of the energy tree needs. */
export const feeder = (fixed: Type, counter: Type): Sketch[] => [
  f('Active power', fixed, 'kW', 0, 100, 100, chart),
  f('Reactive power', fixed, 'kvar', 0, 100, 100),
  ...energies(counter),
]
const energies = (counter: Type): Sketch[] =>
  [['Active energy', 'kWh'] as const, ['Reactive energy', 'kvarh'] as const].map(([name, unit]) =>
    count(name, counter, unit, { SampleLow: 0, SampleHigh: 4e9, ProjectLow: 0, ProjectHigh: 4e7, DecimalDigits: 2 }),
  )

export const meter = (fixed: Type, counter: Type, extra: Rest): Sketch[] => [
  ...each([1, 2, 3], (n) => [f(`Voltage L${n}`, fixed, 'V', 0, 300, 100, n === 1 ? { AlarmLow: 212, AlarmHigh: 248 } : {})]),
  ...each([1, 2, 3], (n) => [f(`Current L${n}`, fixed, 'A', 0, 400, 100)]),
  f('Active power', fixed, 'kW', 0, 250, 100, { ...chart, ...extra }),
  f('Reactive power', fixed, 'kvar', 0, 250, 100),
  f('Apparent power', fixed, 'kVA', 0, 300, 100),
  f('Power factor', fixed, '', 0, 1, 1000, { AlarmLow: 0.6 }),
  f('Frequency', fixed, 'Hz', 45, 55, 1000, chart),
  ...energies(counter),
]
