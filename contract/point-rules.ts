import type { Rule } from './rules.ts'

type Values = Readonly<Record<string, unknown>>
const all = (v: Values, ...names: string[]) => names.every((name) => typeof v[name] === 'number')
const number = (v: Values, name: string) => v[name] as number
const scaling = ['SampleLow', 'SampleHigh', 'ProjectLow', 'ProjectHigh'] as const

/** Rules between columns of a point. They apply to every write: form, cell, paste, sheet, batch and model. */
export const pointRules: readonly Rule[] = [
  {
    name: 'limitsCrossed',
    of: ['AlarmLow', 'AlarmHigh'],
    isBroken: (v) => all(v, 'AlarmLow', 'AlarmHigh') && number(v, 'AlarmLow') >= number(v, 'AlarmHigh'),
  },
  {
    name: 'axisCrossed',
    of: ['AxisMin', 'AxisMax'],
    isBroken: (v) => all(v, 'AxisMin', 'AxisMax') && number(v, 'AxisMin') >= number(v, 'AxisMax'),
  },
  {
    name: 'rawRangeFlat',
    of: scaling,
    isBroken: (v) => all(v, ...scaling) && v.SampleLow === v.SampleHigh,
  },
  {
    name: 'boolScaled',
    of: [...scaling, 'ParaDataType'],
    isBroken: (v) => v.ParaDataType === 0 && all(v, ...scaling),
  },
  {
    // Only periodic uploads have a period. It is in seconds, the polling interval in milliseconds.
    name: 'uploadFaster',
    of: ['UploadPeriod', 'CollectPeriod', 'UploadMode'],
    isBroken: (v) =>
      v.UploadMode === 0 && all(v, 'UploadPeriod', 'CollectPeriod') && number(v, 'UploadPeriod') * 1000 < number(v, 'CollectPeriod'),
  },
]

const isOutside = (v: Values, limit: string) => {
  if (!all(v, 'ProjectLow', 'ProjectHigh', limit)) return false
  const range = [number(v, 'ProjectLow'), number(v, 'ProjectHigh')]
  return number(v, limit) < Math.min(...range) || number(v, limit) > Math.max(...range)
}

/** Combinations that are allowed, but rarely intended. */
export const pointWarnings: readonly Rule[] = [
  {
    name: 'timeoutAbove',
    of: ['CollectPeriod', 'Timeout'],
    isBroken: (v) => all(v, 'CollectPeriod', 'Timeout') && number(v, 'Timeout') > number(v, 'CollectPeriod'),
  },
  ...['AlarmLow', 'AlarmHigh'].map(
    (limit): Rule => ({
      name: 'limitOutside',
      of: ['ProjectLow', 'ProjectHigh', limit],
      isBroken: (v) => isOutside(v, limit),
    }),
  ),
]

/** Points of a device that charts preselect. */
export const mostPreselected = 7
