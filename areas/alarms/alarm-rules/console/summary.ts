// A rule as a sentence.

import { fullName } from '../../../../console/chart/names.ts'
import { describeCron } from '../../../../console/cron/describe.ts'
import { language, type Words } from '../../../../console/words/words.ts'
import { boolType, type StateTexts, stateText } from '../../../../contract/point-value.ts'
import { Enable, Logic, Operator, type RuleCondition, type RuleConfigure, Selection, Style, Trigger } from '../alarm-configure.ts'

/** A duration in the largest unit that divides it. */
export const durationText = (seconds: number, locale: string = language()): string => {
  const [unit, of] = (
    [
      ['day', 86_400],
      ['hour', 3600],
      ['minute', 60],
      ['second', 1],
    ] as const
  ).find(([, length]) => seconds % length === 0)!
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / of)
}

const numberText = (value: number | null | undefined) =>
  typeof value === 'number' ? value.toLocaleString(language(), { maximumFractionDigits: 10 }) : '…'

type NameOf = (id: number) => string | undefined
/** Names for the Ids in a rule: points and devices, state texts, and models. */
export type Names = {
  point?: NameOf | undefined
  device?: NameOf | undefined
  states?: ((id: number) => StateTexts | undefined) | undefined
  model?: NameOf | undefined
}

const pointsText = (c: RuleCondition, t: Words, { point, device, model }: Names) => {
  const names = c.AlarmParams.map((p, i) => {
    const ParaName = (p.ParaId && point?.(p.ParaId)) || p.ParaName || '…'
    const DeviceName = p.DeviceId && device?.(p.DeviceId)
    // Consecutive points of one device show the device name only once.
    return DeviceName && c.AlarmParams[i - 1]?.DeviceId !== p.DeviceId ? fullName({ DeviceName, ParaName }) : ParaName
  })
  const shown =
    names.length > 3
      ? t('rules.say.more', { names: names.slice(0, 2).join(t('rules.say.list')), count: names.length - 2 })
      : names.join(t('rules.say.any'))
  const s = c.DeviceSelection
  if (!s) return shown || '…'
  if (s.Type === Selection.model) return t('rules.say.ofModel', { point: shown || '…', model: (s.ModelId && model?.(s.ModelId)) || '…' })
  return s.Type === Selection.project
    ? t('rules.say.everyDevice', { point: shown })
    : t('rules.say.ofDevices', { point: shown, count: s.DeviceIds?.length ?? 0 })
}

/** State texts, if all points of the condition share them. */
export const statesOf = (c: RuleCondition, { states }: Names): StateTexts => {
  const [first, ...others] = c.AlarmParams.map((p) => (p.ParaId && states?.(p.ParaId)) || {})
  return first && others.every((other) => other.ZeroText === first.ZeroText && other.OneText === first.OneText) ? first : {}
}

/** One condition: `Pressure is above 10 for 1 minute`. */
export const sentenceOf = (c: RuleCondition, t: Words, names: Names = {}): string => {
  const named = pointsText(c, t, names)
  const duration = durationText(c.Duration ?? 0)
  if (c.TriggerStyle === Style.noData) return t('rules.say.noData', { point: named, duration })
  const point =
    c.TriggerStyle === Style.change && c.AlarmParams[0]?.ParaDataType !== boolType ? t('rules.say.change', { point: named }) : named
  const bool = c.AlarmParams[0]?.ParaDataType === boolType
  const turns = c.TriggerStyle === Style.change && bool
  const op = c.OperateSymbol ?? Operator.above
  const what = t(turns ? `rules.say.turns.${op}` : `rules.say.op.${op}`, {
    point,
    a: bool && typeof c.ParamValue === 'number' ? stateText(c.ParamValue, statesOf(c, names), t) : numberText(c.ParamValue),
    b: numberText(c.ParamValue2),
  })
  if (c.TriggerStyle === Style.timer) return t('rules.say.timer', { what, duration })
  if (c.TriggerCondition === Trigger.lasting) return t('rules.say.lasting', { what, duration })
  if (c.TriggerCondition === Trigger.times) return t('rules.say.times', { what, times: c.Frequency ?? '…', duration })
  return what
}

const gateText = ({ EnableType, EnableRule: e }: RuleConfigure, t: Words): string[] => {
  if (EnableType === Enable.always || !e) return []
  if (EnableType === Enable.cron) return [t('rules.say.cron', { when: e.Cron ? describeCron(e.Cron, language()) : '…', zone: e.TimeZone })]
  return [
    ...(e.StartTime && e.EndTime ? [t('rules.say.window', { start: e.StartTime, end: e.EndTime })] : []),
    ...(e.Weeks?.length
      ? [
          e.Weeks.toSorted()
            .map((day) => t(`rules.weekday.${day}`))
            .join(t('rules.say.list')),
        ]
      : []),
    ...(e.StartDate ? [t('rules.say.from', { date: e.StartDate })] : []),
    ...(e.EndDate ? [t('rules.say.until', { date: e.EndDate })] : []),
    e.TimeZone,
  ]
}

/** The entire rule as a sentence. */
export const summaryOf = (configure: RuleConfigure, t: Words, names?: Names): string => {
  const word = (logic: number) => t(logic === Logic.and ? 'rules.say.and' : 'rules.say.or')
  const groups = configure.RuleList.map((g) => {
    const said = g.Conditions.map((c) => sentenceOf(c, t, names)).join(word(g.LogicSymbol))
    return configure.RuleList.length > 1 && g.Conditions.length > 1 ? t('rules.say.group', { said }) : said
  })
  const when = gateText(configure, t)
  const steps = (configure.Severity ?? []).map((s) =>
    t('rules.say.step', { level: t(`alarmRule.AlarmLevel.${s.AlarmLevel}`), value: numberText(s.ParamValue) }),
  )
  const holdOff = configure.HoldOff ? [t('rules.say.holdOff', { duration: durationText(configure.HoldOff) })] : []
  return [groups.join(word(configure.LogicSymbol)), ...(when.length ? [when.join(t('rules.say.list'))] : []), ...steps, ...holdOff].join(
    t('rules.say.then'),
  )
}
